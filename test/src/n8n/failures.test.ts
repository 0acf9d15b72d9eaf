import { ExpressionError, NodeApiError, NodeOperationError } from 'n8n-workflow';

import { BadRequestError, InvalidResponseError, NotFoundError } from '../../../src/client/errors';
import { toErrorItem, toFailureJson, toNodeError } from '../../../src/n8n/failures';
import { node } from './support';

const notFound = new NotFoundError({
  code: 'company_not_found',
  message: "The service doesn't track this company",
  hint: 'Check the domain or slug.',
  status: 404,
  details: { identifier: 'acme.com' },
});

const unreadable = new InvalidResponseError({
  code: 'invalid_response',
  message: 'The response is an HTML page, not JSON',
  hint: 'Check the Base URL.',
});

const ownError = new NodeOperationError(node, 'No such thing', { description: 'Choose another.' });

const badExpression = new ExpressionError('Expression failed');
const FAILURES = [notFound, unreadable, ownError, badExpression, new Error('')];

describe('an error item', () => {
  it.each(FAILURES)('has exactly the keys by which n8n recognizes it: $message', (failure) => {
    const item = toErrorItem(failure, 3);
    expect(Object.keys(item.json)).toEqual(['error', 'message']);
    expect(item.json).toEqual({
      error: expect.objectContaining({ code: expect.any(String), hint: expect.any(String) }),
      message: expect.stringMatching(/./),
    });
    expect(item.pairedItem).toEqual({ item: 3 });
    // n8n stores it as JSON.
    expect(JSON.parse(JSON.stringify(item.json))).toEqual(item.json);
  });

  it('keeps its own hint and status when the service returns fields with the same names', () => {
    const theirs = { hint: 'theirs', status: 200, message: 'kept', code: 'theirs' };
    const ours = { code: 'x', message: 'm', hint: 'ours', status: 400, details: theirs };
    const spoofed = new BadRequestError(ours);
    const details = { ...theirs, hint: 'ours', status: 400 };
    expect(toFailureJson(spoofed)).toEqual({ error: 'x', message: 'm', details });
    expect(toFailureJson(unreadable).details).toEqual({ hint: 'Check the Base URL.' });
    expect(toErrorItem(spoofed, 0).json).toEqual({
      error: { code: 'x', hint: 'ours', status: 400, message: 'kept' },
      message: 'm',
    });
  });

  it('has the description of an input error as its hint', () => {
    const details = { hint: 'Choose another.' };
    const failure = { error: 'invalid_input', message: 'No such thing', details };
    expect(toFailureJson(ownError)).toEqual(failure);
    expect(toFailureJson(badExpression).details.hint).toMatch(/parameters/);
  });
});

it.each([new TypeError('x is not a function'), new Error("Cannot find module 'ioredis'")])(
  'reports what no one foresaw instead of blaming the parameters: $message',
  (bug) => {
    const failure = toFailureJson(bug);
    expect(failure.error).toBe('own_fault');
    expect(failure.message).toContain(bug.message);
    expect(failure.details.hint).toMatch(/^If .* report this message to the maintainers/);
    expect(toNodeError(node, bug, 0).message).toBe(failure.message);
  },
);

describe('the error that stops a workflow', () => {
  it("is n8n's error for services or for input, with message, hint, status and item", () => {
    const error = toNodeError(node, notFound, 7);
    expect(error).toBeInstanceOf(NodeApiError);
    expect(error).toMatchObject({
      message: "The service doesn't track this company",
      description: 'Check the domain or slug.',
      httpCode: '404',
      context: { itemIndex: 7 },
    });
    const other = toNodeError(node, badExpression, 2);
    expect(other).toBeInstanceOf(NodeOperationError);
    expect(other).toMatchObject({ message: 'Expression failed', context: { itemIndex: 2 } });
    expect(toNodeError(node, ownError, 2)).toBe(ownError);
  });

  it.each(FAILURES)('has no cause that contains a request: $message', (failure) => {
    const { cause } = toNodeError(node, failure, 0);
    expect(JSON.stringify(cause ?? '')).not.toMatch(/headers|config/);
  });
});
