import { z } from 'zod/v4';
import { errors, ServiceError } from '../../errors';

export const section = 'Lists';

export const listParams = z.object({ list_id: z.string() });

/** What is wrong with a definition is 422; what is wrong with the rest of a body is 400. */
export function invalidDefinition(message: string): ServiceError {
  return message.startsWith('body.name')
    ? errors.invalidRequest(message)
    : new ServiceError(422, 'invalid_definition', message);
}
