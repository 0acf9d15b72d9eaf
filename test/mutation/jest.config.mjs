// Makes the unit tests the only project: Stryker cannot run several.
import config from '../../jest.config.mjs';

export default config.projects?.find(
  (one) => typeof one === 'object' && one.displayName === 'unit',
);
