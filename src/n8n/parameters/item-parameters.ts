import type { IExecuteFunctions } from 'n8n-workflow';

import { InputError, notTooDeep, tooDeep } from '../../input/inputs';
import { quote } from '../../input/quote';
import { isRow } from '../../run/answers/rows';
import { asError, isStackOverflow } from '../failures';

/** The parameters of one input item, with its expressions evaluated. */
export class ItemParameters {
  constructor(
    private readonly context: IExecuteFunctions,
    readonly itemIndex: number,
  ) {}

  /** A parameter as it is; undefined for one that is not shown. Resource locators give their value. */
  get(name: string): unknown {
    return notTooDeep(
      evaluated(name, () =>
        this.context.getNodeParameter(name, this.itemIndex, undefined, { extractValue: true }),
      ),
      name,
    );
  }

  /** An entry of a collection such as `options` or `filters`; undefined when it was not added. */
  in(collection: string, name: string): unknown {
    const value = evaluated(collection, () =>
      this.context.getNodeParameter(collection, this.itemIndex, {}),
    );
    if (isRow(value)) return notTooDeep(value[name], name);
    throw new InputError(
      `"${collection.charAt(0).toUpperCase()}${collection.slice(1)}" cannot be ${quote(value)}`,
      'Choose from the list in this node.',
    );
  }
}

/**
 * A parameter's value. n8n's own evaluation overflows the stack on what is very deep, and gives no
 * parameter that it hides.
 *
 * @returns undefined for one that is hidden.
 * @throws {InputError} when n8n cannot evaluate it for its depth.
 */
export function evaluated(name: string, evaluate: () => unknown): unknown {
  try {
    return evaluate();
  } catch (error) {
    if (asError(error).message.startsWith('Could not get parameter')) return undefined;
    throw isStackOverflow(error) ? tooDeep(`"${name}"`) : error;
  }
}
