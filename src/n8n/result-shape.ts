import { flatCompany, withoutNulls, type FlatForm } from '../api/flat-company';
import type { Row } from '../run/answers/rows';

/** How companies come out, as the user chose. */
export interface CompanyForm extends FlatForm {
  /** Whether as flat rows; else as the service gives them, without what is null. */
  readonly simplify: boolean;
}

/** Makes of a row of an answer what comes out. */
export type Shape = (row: Row) => Row;

/** How companies come out of a node. */
export function shapeOf({ simplify, technologyColumns, sections }: CompanyForm): Shape {
  return simplify ? (row) => flatCompany(row, { technologyColumns, sections }) : withoutNulls;
}
