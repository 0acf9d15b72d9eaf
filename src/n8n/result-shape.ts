import type { IExecuteFunctions } from 'n8n-workflow';

import { flatCompany, withoutNulls } from '../api/flat-company';
import type { Row } from '../run/answers/rows';

/** Since this version of a node its companies come out flat, unless the user says otherwise. */
export const FLAT_SINCE = 1.1;

/** What the user chose about how companies come out. */
export interface CompanyForm {
  /** Undefined in nodes that were stored before {@link FLAT_SINCE}. */
  readonly simplify: boolean | undefined;
  /** Technologies that get a column each. */
  readonly technologyColumns?: readonly string[];
}

/** Makes of a row of an answer what comes out. */
export type Shape = (row: Row) => Row;

/** The answer's own row. */
export const AS_IT_IS: Shape = (row) => row;

/** How companies come out of a node: as nodes of its version have always given them. */
export function shapeOf(
  context: IExecuteFunctions,
  { simplify, technologyColumns = [] }: CompanyForm,
): Shape {
  if (!isFlatByDefault(context)) return AS_IT_IS;
  return simplify === true ? (row) => flatCompany(row, technologyColumns) : withoutNulls;
}

/** Whether the node is of a version that was made with flat rows and kept input fields. */
export function isFlatByDefault(context: Pick<IExecuteFunctions, 'getNode'>): boolean {
  return context.getNode().typeVersion >= FLAT_SINCE;
}
