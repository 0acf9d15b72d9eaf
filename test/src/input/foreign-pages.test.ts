/** Tests pages on hosts that no list names; only their path decides. */
import fc from 'fast-check';

import { normalizeDomain } from '../../../src/input/domains';
import { read, USUAL } from './support';
const lines = (text: string): string[] => text.trim().split(/\s+/);

/** Paths that small directories, registers, review sites and job boards use. */
const FOREIGN = lines(`
  /company/halden /companies/halden-joinery /en/company/123456/halden-joinery /biz/halden-leeds-7312345/
  /insight/company/01234567-halden-joinery-limited /companies/gb/01234567 /companies/1234567-halden
  /company-profiles/tech/halden /business-directory/texas/austin/joinery/1234567-halden
  /company_details/halden /fi/company/halden#reviews /cmp/halden/jobs?start=10 /business/51234567/halden/
  /businesses/halden-austin-texas/12345678/ /entity/123 /employers/halden /exhibitor/halden/N123456
  /firma/kern-metallbau-gmbh /de/firma/1234567/kern /dresden/firma/kern-12345 /firmen/1234567.php
  /unternehmen/metallbau/kern-gmbh/123456
  /entreprise/leroux-123456789 /entreprises/123456789.html /societe/leroux-sarl
  /ficha-empresa/ceramica-sur /es/empresa/ceramica-sur-30123456789 /directorio-empresas/informacion-empresa/x1
  /cnpj/12345678000190 /azienda/rossi-valvole-srl
  /bedrijf/utrecht/12345678/van-dijk.html /foretag/lindqvist-bygg-ab-5561234567/x1
  /f%C3%B6retag/lindqvist/5561234567 /virksomhed/lindqvist/12345678 /yritykset/yritys/lindqvist/12345678
  /firma-krs/nowak,katowice,0000123456.html /krs/0000123456/nowak /ceg-adatlap/svoboda-0109
  /firma/12345678-svoboda-srl /tvrtka/svoboda-doo /cong-ty/svoboda/1.html
  /12345678 /12345678-lind-ou /5561234567-lindqvist_bygg_ab /acme-gmbh /svoboda-d-o-o/ /rossi_valvole_srl
  /edr/12345678 /#/company/halden`);

/** Paths that companies use on their own sites. */
const OWN = lines(`
  / /company /company/ /company/history /company/our-story /company/leadership-team /company/careers/
  /company/newsroom/press-releases /company/quality-and-certifications /company/management.html
  /company/profile /company/overview /company/board-of-directors /company/diversity-equity-inclusion
  /company/giving-back /company/trust-center /company/privacy-policy /company/open-positions
  /company/request-a-demo /company/in-the-news /companies /companies/our-brands /company-profile
  /fr-ca/company/press /index.php/company/team /company/kalmor /en/company/kalmor-group
  /companies/kalmor-marine /company/about-us?utm_source=x /employers/post-a-job /employers/pricing
  /business/loans /business/checking-accounts /profile/jane-doe /profiles/john-smith
  /organizations/student-government /suppliers/code-of-conduct /supplier/portal /vendor/application
  /unternehmen /unternehmen/ueber-uns /unternehmen/standorte/dresden /unternehmen/familienunternehmen
  /unternehmen/presse/pressemitteilungen/2026 /firma/historie-1989 /firma/ausstellung /firma/team
  /entreprise/qui-sommes-nous /entreprise/developpement-durable /entreprises/formation-inter
  /societe/presentation /empresa/quienes-somos /empresa/maquinaria /empresas/servicios
  /azienda/chi-siamo /azienda/parco-macchine /bedrijf/over-ons /bedrijven/catering /foretag/om-oss
  /firma/o-nas /firma/park-maszynowy /ceg/bemutatkozas /yritys/historia /selskap/om-oss
  /hotel/rooms /hotels/lisbon /en/hotels/kalmor-lisbon/overview/ /restaurants/hamburg-altona
  /store/austin-tx/1234 /stores/austin /shop/tools/drills /listing/123-main-street-springfield
  /agents/jane-doe /agency/us/tx/austin/jane-doe /locations/texas/austin/123 /jobs/4711
  /jobs/senior-data-engineer /careers/engineer /customers/acme-gmbh /partners/acme-inc /case-studies/volvo
  /blog/how-to-choose-a-company /blog/company/acme /news/20260531-opening /2026/05/12/noticias
  /products/4012345678901 /providers/profile/1234567 /real-estate-agents/john-webb/102012345
  /company/enkaku.html /members/login /user/login /directory/faculty/jane-doe /?p=12345678
  /redirect/https://example.org /linkedin.com/company/other /wp-content/uploads/2026/05/brochure.pdf
  /en /de-de/ /#contact /datenschutz /mentions-legales`);

it.each(FOREIGN)('refuses %s on a host that is in no list', (path) => {
  expect(read(`https://www.kalmor.com${path}`)).toBe('profile_page');
  expect(read(`kalmor.com${path}`)).toBe('profile_page');
});

it.each(OWN)('accepts %s on the site of a company', (path) => {
  expect(read(`https://www.kalmor.com${path}`)).toBe('kalmor.com');
});

it('refuses pages on a host named like a directory, but accepts its bare host as a company', () => {
  expect(read('https://www.kalmor-yellowpages.com/halden')).toBe('profile_page');
  expect(read('https://www.branchenbuch-kalmor.de/firma/halden')).toBe('profile_page');
  expect(read('https://www.branchenbuch-kalmor.de/kontakt')).toBe('branchenbuch-kalmor.de');
  expect(read('https://www.kalmor-yellowpages.com')).toBe('kalmor-yellowpages.com');
  expect(read('jo@kalmor-yellowpages.com')).toBe('kalmor-yellowpages.com');
});

it('refuses a page on a country subdomain, but not on another subdomain', () => {
  expect(read('https://de.kalmor.com/company/halden')).toBe('profile_page');
  expect(read('https://pages.kalmor.com/company/halden')).toBe('kalmor.com');
});

it('uses another value of the cell when a page is refused, or explains what to do', () => {
  const url = 'https://kalmor.com/company/halden';
  expect(read(`${url} jo@halden.com`)).toBe('halden.com');
  expect(normalizeDomain(url, USUAL)).toMatchObject({
    about: 'kalmor.com',
    message:
      "kalmor.com hosts pages about companies and people, not their own sites: use the company's own website or a company email address",
  });
});

it('accepts a page on a domain that the user or the service names', () => {
  const url = 'https://kalmor.com/company/halden';
  expect(read(url, { acceptDomains: new Set(['kalmor.com']) })).toBe('kalmor.com');
  expect(read(url, { anyHost: true })).toBe('kalmor.com');
});

const name = fc.stringMatching(/^[b-df-hj-np-tv-z]{5,12}$/);

it('never refuses a page named after its host', () => {
  fc.assert(
    fc.property(name, fc.constantFrom(...FOREIGN), (own, path) => {
      const [, word = ''] = path.split('/');
      expect(read(`https://${own}.com/${word}/${own}-group`)).toBe(`${own}.com`);
    }),
  );
});

it('refuses the same page, but not the same name alone, on any host', () => {
  fc.assert(
    fc.property(name, name, fc.constantFrom('com', 'de', 'co.uk', 'io'), (own, other, ending) => {
      fc.pre(!own.includes(other) && !other.includes(own));
      expect(read(`https://${own}.${ending}/company/${other}`)).toBe('profile_page');
      expect(read(`https://${own}.${ending}/${other}`)).toBe(`${own}.${ending}`);
    }),
  );
});
