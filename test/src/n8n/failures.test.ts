import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';

import { BadRequestError, InvalidResponseError, NotFoundError } from '../../../src/client/errors';
import { toErrorItem, toFailureJson, toNodeError } from '../../../src/n8n/failures';

const node: INode = {
  id: '1',
  name: 'Bulk Enrich',
  type: 'bulkEnrich',
  typeVersion: 1,
  position: [0, 0],
  parameters: {},
};

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

const FAILURES = [notFound, unreadable, ownError, new Error('Expression failed'), new Error('')];

describe('an error item', () => {
  it.each(FAILURES)('has exactly the keys by which n8n recognizes it: $message', (failure) => {
    const item = toErrorItem(failure, 3);
    expect(Object.keys(item.json)).toEqual(['error', 'message']);
    expect(item.json).toEqual({
      error: expect.objectContaining({ code: expect.any(String), hint: expect.any(String) }),
      message: expect.stringMatching(/./),
    });
    expect(item.pairedItem).toEqual({ item: 3 });
  });

  it("contains the service's code, its fields, the status and what to do", () => {
    expect(toFailureJson(notFound)).toEqual({
      error: 'company_not_found',
      message: "The service doesn't track this company",
      details: { identifier: 'acme.com', status: 404, hint: 'Check the domain or slug.' },
    });
  });

  it('has no status when the service returned none', () => {
    expect(toFailureJson(unreadable).details).toEqual({ hint: 'Check the Base URL.' });
  });

  it('keeps its own hint and status when the service returns fields with the same names', () => {
    const spoofed = new BadRequestError({
      code: 'x',
      message: 'm',
      hint: 'ours',
      status: 400,
      details: { hint: 'theirs', status: 200, message: 'kept', code: 'theirs' },
    });
    const { details } = toFailureJson(spoofed);
    expect(details).toEqual({ hint: 'ours', status: 400, message: 'kept', code: 'theirs' });
    expect(toErrorItem(spoofed, 0).json).toEqual({
      error: { code: 'x', hint: 'ours', status: 400, message: 'kept' },
      message: 'm',
    });
  });

  it('has the description of an input error as its hint', () => {
    expect(toFailureJson(ownError)).toEqual({
      error: 'invalid_input',
      message: 'No such thing',
      details: { hint: 'Choose another.' },
    });
    expect(toFailureJson(new Error('Expression failed')).details.hint).toMatch(/parameters/);
  });

  it('can be stored as JSON', () => {
    for (const failure of FAILURES) {
      const { json } = toErrorItem(failure, 0);
      expect(JSON.parse(JSON.stringify(json))).toEqual(json);
    }
  });
});

describe('the error that stops a workflow', () => {
  it("is n8n's error for services, with message, hint, status and item", () => {
    const error = toNodeError(node, notFound, 7);
    expect(error).toBeInstanceOf(NodeApiError);
    expect(error).toMatchObject({
      message: "The service doesn't track this company",
      description: 'Check the domain or slug.',
      httpCode: '404',
      context: { itemIndex: 7 },
    });
  });

  it("is n8n's error for input, with the item, when the service was not involved", () => {
    const error = toNodeError(node, new Error('Expression failed'), 2);
    expect(error).toBeInstanceOf(NodeOperationError);
    expect(error).toMatchObject({ message: 'Expression failed', context: { itemIndex: 2 } });
    expect(toNodeError(node, ownError, 2)).toBe(ownError);
  });

  it('has no cause that contains a request', () => {
    for (const failure of FAILURES) {
      const { cause } = toNodeError(node, failure, 0);
      if (cause !== undefined) expect(JSON.stringify(cause)).not.toMatch(/headers|config/);
    }
  });
});
