import { normalizeDomain, SERVICE_DOMAIN_OPTIONS } from '../../input/domains';
import { findText, type Row } from '../../values/json';

/**
 * Adds `slug` and `domain` to a member that names its company in other words: the API spec does not show the fields
 * of members.
 */
export function withCompanyNames(member: Row): Row {
  const find = (...names: string[]) => findText(member, names) ?? findText(member.company, names);
  const slug = find('slug') === undefined ? find('company_slug') : undefined;
  const hasDomain = find('primary_domain', 'domain') !== undefined;
  const domain = hasDomain ? undefined : readDomain(find('company_domain', 'website'));
  if (slug === undefined && domain === undefined) return member;
  return { ...member, ...(slug && { slug }), ...(domain && { domain }) };
}

function readDomain(text: string | undefined): string | undefined {
  const found = normalizeDomain(text, SERVICE_DOMAIN_OPTIONS);
  return found.valid ? found.domain : undefined;
}
