import { NotFoundError } from '../client/errors';
import { quote } from '../values/text';
import { isJsonObject, type Row } from '../values/json';
import { listFields } from './endpoint';
import { api } from './endpoints';
import { getFlatColumns, LIST_SEPARATOR, toFlatCompany } from './flat-company';

interface Pair {
  readonly identifier_a: string;
  readonly identifier_b: string;
}

export function toFlatPartners(identifier: string) {
  return {
    columns: ['domain', 'of_domain', ...listFields(api.partners)],
    toRow: (row: Row, { company }: Row): Row => {
      const domains = {
        domain: row.partner_domain,
        of_domain: findDomain(company, identifier),
      };
      return toFlatCompany({ ...domains, ...row });
    },
  };
}

export function toFlatSharedPartners({ identifier_a, identifier_b }: Pair) {
  return {
    columns: [...getFlatColumns(listFields(api.sharedPartners)), 'of_domain'],
    toRow: (
      { partner_name, partner_domain, partner_slug, ...row }: Row,
      { company_a, company_b }: Row,
    ): Row => {
      const domains = [findDomain(company_a, identifier_a), findDomain(company_b, identifier_b)];
      return toFlatCompany({
        ...row,
        name: row.name ?? partner_name,
        primary_domain: row.primary_domain ?? partner_domain,
        slug: row.slug ?? partner_slug,
        of_domain: domains.filter((one) => one !== undefined).join(LIST_SEPARATOR),
      });
    },
  };
}

function findDomain(company: unknown, identifier: string): string | undefined {
  const known = isJsonObject(company) ? company.primary_domain : undefined;
  if (typeof known === 'string') return known;
  return identifier.includes('.') ? identifier : undefined;
}

/** If the service doesn't track one of the companies, the error says which, as far as the response tells. */
export async function readPair<T>(
  { identifier_a, identifier_b }: Pair,
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
