import fc from 'fast-check';

import { compareCompanies } from '../../../src/service/compare-companies';

const keys = fc.uniqueArray(fc.constantFrom('A', 'B', 'C', 'D', 'E', 'F'));
const company = (technologies: readonly string[]) => ({
  name: 'Acme',
  primary_domain: 'acme.com',
  technologies: technologies.map((name) => ({
    tech_key: name.toLowerCase(),
    display_name: name,
  })),
});

it('puts each technology of two companies in exactly one of three columns', () => {
  fc.assert(
    fc.property(keys, keys, (inA, inB) => {
      const row = compareCompanies(company(inA), company(inB));
      const names = (where: string) =>
        (row[`technology_names_${where}`] as string).split('; ').filter(Boolean);

      expect([...names('both'), ...names('only_a')].sort()).toEqual([...inA].sort());
      expect([...names('both'), ...names('only_b')].sort()).toEqual([...inB].sort());
      for (const where of ['both', 'only_a', 'only_b']) {
        expect(row[`technology_count_${where}`]).toBe(names(where).length);
      }
    }),
  );
});

it('omits the technology columns when one of the responses has no technologies', () => {
  const other = { name: 'Acme', primary_domain: 'acme.com', tech_count: 3 };

  expect(compareCompanies(company(['A']), other)).toEqual({
    domain_a: 'acme.com',
    company_name_a: 'Acme',
    domain_b: 'acme.com',
    company_name_b: 'Acme',
    status_b: 'tracked',
  });
});
