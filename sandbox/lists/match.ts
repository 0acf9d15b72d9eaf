import type { Company } from '../data/companies';
import { firmographics, type Source } from '../views/companies';
import { partnersOf } from '../views/partners';
import type { Condition, FilterNode } from './tree';
import type { FilterKey } from './catalogue';

type Test = (company: Company) => boolean;

/** Compiles a filter tree to a test of companies. A null tree matches no company. */
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

type Values = ReadonlyArray<string | number | boolean>;

/** Readers of a company's value or values for each field. Text is in lower case. */
const READERS: Readonly<Record<FilterKey, (company: Company, source: Source) => Values>> = {
  name: ({ nameLower }) => [nameLower],
  primary_domain: ({ primaryDomain }) => [primaryDomain],
  industry: ({ industry }) => [industry.toLowerCase()],
  country: ({ country }) => [country.toLowerCase()],
  employee_range: ({ employeeRange }) => [employeeRange],
  founded_year: ({ foundedYear }) => [foundedYear],
  tech_count: (company, source) => [firmographics(source, company).tech_count],
  open_jobs_count: (company, source) => [firmographics(source, company).open_jobs_count],
  partnership_count: (company, source) => [firmographics(source, company).partnership_count],
  technology: (company, source) => technologiesOf(source, company).map(({ key }) => key),
  vendor: (company, source) => technologiesOf(source, company).map(({ vendor }) => vendor.domain),
  partner: (company, { world }) =>
    partnersOf(world, company).flatMap(({ company: partner }) => [
      partner.primaryDomain,
      partner.slug ?? '',
    ]),
  partnership_type: (company, { world }) => partnersOf(world, company).map(({ link }) => link.type),
  has_partner_page: ({ id }, { world }) => [world.hasPartnerPage[id - 1] === 1],
};

function technologiesOf({ world }: Source, company: Company) {
  const { start, technology } = world.detections;
  const found = [];
  for (let i = start[company.id - 1]!; i < start[company.id]!; i += 1) {
    found.push(world.technologies[technology[i]!]!);
  }
  return found;
}

function compileCondition(source: Source, { field, operator, value }: Condition): Test {
  const read = (company: Company) => READERS[field](company, source);
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
