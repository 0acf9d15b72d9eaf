import type { RefuseBody } from '../../endpoint';
import { errors, ServiceError } from '../../errors';

/** A malformed or unbounded definition is 422 (Lists, rule 2). */
export const invalidDefinition: RefuseBody = (message) =>
  new ServiceError(422, 'invalid_definition', message);

/** In the body of a new list, an invalid definition is 422, any other invalid field is 400. */
export const invalidList: RefuseBody = (message, path) =>
  path[0] === 'definition' ? invalidDefinition(message, path) : errors.invalidRequest(message);
