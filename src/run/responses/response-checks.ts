import type { z } from 'zod/v4';

import type { Call } from '../../client/client';
import { createInvalidResponseError } from '../../client/errors';
import { isErrorBody } from '../../client/response';
import { isJsonObject } from '../../values/json';

export interface Checked {
  readonly response?: (() => z.ZodType) | undefined;
}

/** Values of another type than the API spec says. */
export interface TypeMismatches {
  readonly count: number;
  /** The first field, such as `data.*.slug`. */
  readonly field: string;
  /** What is wrong with it, such as `a number instead of text`. */
  readonly problem: string;
}

/** Rows of a run that are all checked; after them, only one of ten is, because checking takes time. */
const ROWS_CHECKED = 10_000;
const ROWS_PER_SAMPLE = 10;

/** Statuses that confirm a change, whatever the body contains. */
const DONE = [201, 204];

export class ResponseChecks {
  mismatches: TypeMismatches | undefined;
  private rows = 0;

  toCheckedCall<T>({ response, ...call }: Call<T> & Checked): Call<T> {
    if (response === undefined) return call;
    const read: Call<T>['read'] = (received) => {
      const { json, status } = received;
      const isConfirmed = !call.repeatable && DONE.includes(status) && !isErrorBody(json);
      // The reader knows better what is missing.
      const value = call.read(received);
      this.check(response(), json, isConfirmed);
      return value;
    };
    return { ...call, read };
  }

  /**
   * A value of an unexpected type is only counted: one field must never cost a charged row.
   *
   * @param isConfirmed The status says enough, whatever the response is as a whole.
   * @throws {InvalidResponseError} if the response as a whole is something else.
   */
  check(schema: z.ZodType, response: unknown, isConfirmed = false): void {
    const checked = isJsonObject(response) ? this.sample(response) : response;
    const { error } = schema.safeParse(checked);
    for (const issue of error?.issues ?? []) {
      if (issue.path.length === 0) {
        if (isConfirmed) return;
        throw createInvalidResponseError(issue.message);
      }
      const field = issue.path.map((part) => (typeof part === 'number' ? '*' : part)).join('.');
      this.mismatches ??= { count: 0, field, problem: describeIssue(issue, checked) };
      this.mismatches = { ...this.mismatches, count: this.mismatches.count + 1 };
    }
  }

  private sample(response: Readonly<Record<string, unknown>>) {
    const fields = Object.entries(response).map(([name, value]): [string, unknown] => {
      if (!Array.isArray(value)) return [name, value];
      const isChecked = this.rows < ROWS_CHECKED;
      this.rows += value.length;
      return [
        name,
        isChecked ? value : value.filter((_row, index) => index % ROWS_PER_SAMPLE === 0),
      ];
    });
    return Object.fromEntries(fields);
  }
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  undefined: 'nothing',
};

function describeIssue(issue: z.core.$ZodIssue, response: unknown): string {
  const value = issue.path.reduce<unknown>(
    (inner, name) => (inner as Readonly<Record<PropertyKey, unknown>>)[name],
    response,
  );
  const type = Array.isArray(value) ? 'array' : typeof value;
  // An ID can be a number or text.
  const expected = issue.code === 'invalid_type' ? TYPES[issue.expected] : 'an ID';
  return `${value === null ? 'null' : TYPES[type]} instead of ${expected}`;
}
