import { flatCompany, withoutNulls } from '../api/flat-company';
import type { Row } from '../run/answers/rows';

/** What the user chose about how companies come out. */
export interface CompanyForm {
  /** Whether as flat rows; else as the service gives them, without what is null. */
  readonly simplify: boolean;
  /** Technologies that get a column each. */
  readonly technologyColumns?: readonly string[];
}

/** Makes of a row of an answer what comes out. */
export type Shape = (row: Row) => Row;

/** How companies come out of a node. */
export function shapeOf({ simplify, technologyColumns = [] }: CompanyForm): Shape {
  return simplify ? (row) => flatCompany(row, technologyColumns) : withoutNulls;
}
