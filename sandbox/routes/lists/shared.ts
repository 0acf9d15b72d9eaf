import type { RefuseBody } from '../../endpoint';
import { errors, ServiceError } from '../../errors';

/** A definition that is malformed or unbounded is 422 (Lists, rule 2). */
export const invalidDefinition: RefuseBody = (message) =>
  new ServiceError(422, 'invalid_definition', message);

/** In the body of a new list, what is wrong with the definition is 422, with the rest 400. */
export const invalidList: RefuseBody = (message, path) =>
  path[0] === 'definition' ? invalidDefinition(message, path) : errors.invalidRequest(message);
