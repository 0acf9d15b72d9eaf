import { isRow, type Row } from '../run/responses/rows';
import { api } from './endpoints';
import { toFlatCompany, createShape } from './flat-company';

/** Columns of flat rows about partners. */
export const PARTNER_COLUMNS = ['domain', ...api.partners.fields];

/**
 * Returns the function that shapes rows of partners for the output. Flat rows name the requested
 * company in `domain`.
 *
 * @param identifier the requested company.
 */
export function createPartnerShape(simplify: boolean, identifier: string) {
  return simplify
    ? (row: Row, { company }: Row) => {
        const known = isRow(company) ? company.primary_domain : undefined;
        const asked = identifier.includes('.') ? identifier : undefined;
        return toFlatCompany({ domain: known ?? asked, ...row });
      }
    : createShape({ simplify });
}

/**
 * Returns the function that shapes rows of shared partners for the output. Flat rows are about the
 * partner. If the two companies are added, their columns end in `_a` and `_b`.
 */
export function createSharedPartnerShape(simplify: boolean) {
  return simplify
    ? ({
        partner_name,
        partner_domain,
        partner_slug,
        company_a: a,
        company_b: b,
        ...row
      }: Row) => ({
        ...toFlatCompany({
          ...row,
          name: row.name ?? partner_name,
          primary_domain: row.primary_domain ?? partner_domain,
          slug: row.slug ?? partner_slug,
        }),
        ...suffixFields(a, 'a'),
        ...suffixFields(b, 'b'),
      })
    : createShape({ simplify });
}

function suffixFields(company: unknown, which: 'a' | 'b'): Row {
  const columns = isRow(company) ? Object.entries(toFlatCompany(company)) : [];
  return Object.fromEntries(columns.map(([name, value]) => [`${name}_${which}`, value]));
}
