/** Beside the errors, where it belongs; kept until the last reader has moved. */
export { mayBeTooLarge } from '../client/errors';
