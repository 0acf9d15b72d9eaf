import { NotFoundError } from '../client/errors';
import { quote } from '../input/quote';
import { isRow, type Row } from '../run/responses/rows';
import { listFields } from './endpoint';
import { api } from './endpoints';
import { createShape, getFlatColumns, LIST_SEPARATOR, toFlatCompany } from './flat-company';

/** Returns the columns of flat rows about partners. */
export function listPartnerColumns(): string[] {
  return ['domain', 'of_domain', ...listFields(api.partners)];
}

/** Returns the columns of flat rows about shared partners. */
export function listSharedPartnerColumns(): string[] {
  return [...getFlatColumns(listFields(api.sharedPartners)), 'of_domain'];
}

/**
 * Returns the function that shapes rows of partners for the output. In flat rows, `domain` is the
 * partner's and `of_domain` the requested company's. If the requested company is added, its columns begin
 * with `of_`.
 *
 * @param identifier the requested company.
 */
export function createPartnerShape(simplify: boolean, identifier: string) {
  if (!simplify) return createShape({ simplify });
  return ({ company: added, ...row }: Row, { company }: Row): Row => ({
    ...toFlatCompany({
      domain: row.partner_domain,
      of_domain: findDomain(company, identifier),
      ...row,
    }),
    ...renameFields(added, (name) => `of_${name}`),
  });
}

/**
 * Returns the function that shapes rows of shared partners for the output. In flat rows, `domain` is the
 * partner's and `of_domain` names the two companies. If these are added, their columns end with `_a` and
 * `_b`.
 */
export function createSharedPartnerShape(
  simplify: boolean,
  { identifier_a, identifier_b }: { readonly identifier_a: string; readonly identifier_b: string },
) {
  if (!simplify) return createShape({ simplify });
  return (
    { partner_name, partner_domain, partner_slug, company_a: a, company_b: b, ...row }: Row,
    { company_a, company_b }: Row,
  ): Row => {
    const domains = [findDomain(company_a, identifier_a), findDomain(company_b, identifier_b)];
    return {
      ...toFlatCompany({
        ...row,
        name: row.name ?? partner_name,
        primary_domain: row.primary_domain ?? partner_domain,
        slug: row.slug ?? partner_slug,
        of_domain: domains.filter((one) => one !== undefined).join(LIST_SEPARATOR),
      }),
      ...renameFields(a, (name) => `${name}_a`),
      ...renameFields(b, (name) => `${name}_b`),
    };
  };
}

/** Returns the domain of a requested company; undefined if only its slug is known. */
function findDomain(company: unknown, identifier: string): string | undefined {
  const known = isRow(company) ? company.primary_domain : undefined;
  if (typeof known === 'string') return known;
  return identifier.includes('.') ? identifier : undefined;
}

function renameFields(company: unknown, rename: (name: string) => string): Row {
  const columns = isRow(company) ? Object.entries(toFlatCompany(company)) : [];
  return Object.fromEntries(columns.map(([name, value]) => [rename(name), value]));
}

/**
 * Reads something about two companies. If the service doesn't track one of them, the error says which,
 * as far as the response tells.
 */
export async function readPair<T>(
  { identifier_a, identifier_b }: { readonly identifier_a: string; readonly identifier_b: string },
  read: () => Promise<T>,
): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof NotFoundError) || error.code !== 'company_not_found') throw error;
    const { details, message } = error;
    const missing = [
      { name: 'Company A', identifier: identifier_a },
      { name: 'Company B', identifier: identifier_b },
    ].filter(({ identifier }) =>
      typeof details.identifier === 'string'
        ? details.identifier === identifier
        : message.includes(identifier),
    );
    const [first] = missing;
    const which =
      first === undefined || missing.length > 1
        ? `${quote(identifier_a)} or ${quote(identifier_b)}`
        : `${first.name}, ${quote(first.identifier)}`;
    throw error.copyWith({ message: `The service doesn't track ${which}` });
  }
}
