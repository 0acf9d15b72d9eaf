import type { Company } from '../data/companies';
import { firmographics, type Source } from '../views/companies';
import { partnersOf } from '../views/partners';
import type { Condition, FilterNode } from './tree';
import type { FilterKey } from './catalogue';

type Test = (company: Company) => boolean;

/** Turns a filter tree into a test of companies; a null tree lets none through. */
export function compile(source: Source, node: FilterNode | null): Test {
  if (node === null) return () => false;
  if ('field' in node) return compileCondition(source, node);
  const tests = node.children.map((child) => compile(source, child));
  switch (node.op) {
    case 'and':
      return (company) => tests.every((test) => test(company));
    case 'or':
      return (company) => tests.some((test) => test(company));
    case 'not':
      return (company) => !tests.some((test) => test(company));
  }
}

/** How to read the value or values a company has in a field; text comes in lower case. */
function readerOf(
  source: Source,
  field: FilterKey,
): (company: Company) => ReadonlyArray<string | number | boolean> {
  const { world } = source;
  const facts = (company: Company) => firmographics(source, company);
  switch (field) {
    case 'name':
      return (company) => [company.nameLower];
    case 'primary_domain':
      return (company) => [company.primaryDomain];
    case 'industry':
      return (company) => [company.industry.toLowerCase()];
    case 'country':
      return (company) => [company.country.toLowerCase()];
    case 'employee_range':
      return (company) => [company.employeeRange];
    case 'founded_year':
      return (company) => [company.foundedYear];
    case 'tech_count':
      return (company) => [facts(company).tech_count];
    case 'open_jobs_count':
      return (company) => [facts(company).open_jobs_count];
    case 'partnership_count':
      return (company) => [facts(company).partnership_count];
    case 'technology':
      return (company) => technologiesOf(source, company).map((one) => one.key);
    case 'vendor':
      return (company) => technologiesOf(source, company).map((one) => one.vendor.domain);
    case 'partner':
      return (company) =>
        partnersOf(world, company).flatMap(({ company: partner }) => [
          partner.primaryDomain,
          partner.slug ?? '',
        ]);
    case 'partnership_type':
      return (company) => partnersOf(world, company).map(({ link }) => link.type);
    case 'has_partner_page':
      return (company) => [world.hasPartnerPage[company.id - 1] === 1];
  }
}

function technologiesOf({ world }: Source, company: Company) {
  const { start, technology } = world.detections;
  const found = [];
  for (let i = start[company.id - 1]!; i < start[company.id]!; i += 1) {
    found.push(world.technologies[technology[i]!]!);
  }
  return found;
}

function compileCondition(source: Source, { field, operator, value }: Condition): Test {
  const read = readerOf(source, field);
  const fold = (one: string | number | boolean) =>
    typeof one === 'string' ? one.toLowerCase() : one;
  const wanted = (Array.isArray(value) ? value : [value]).map(fold);
  const set = new Set(wanted);
  const [low, high] = [Number(wanted[0]), Number(wanted[1])];
  const text = String(wanted[0]);
  const some =
    (test: (one: string | number | boolean) => boolean): Test =>
    (company) =>
      read(company).some(test);
  switch (operator) {
    case 'contains':
      return some((one) => String(one).includes(text));
    case 'starts_with':
      return some((one) => String(one).startsWith(text));
    case 'gte':
      return some((one) => Number(one) >= low);
    case 'lte':
      return some((one) => Number(one) <= low);
    case 'between':
      return some((one) => Number(one) >= low && Number(one) <= high);
    case 'not_equals':
    case 'not_in':
      return (company) => !read(company).some((one) => set.has(one));
    default:
      return some((one) => set.has(one));
  }
}
