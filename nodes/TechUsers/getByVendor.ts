import { companyColumns } from '../../src/api/companies';
import { LIMITS } from '../../src/input/limits';
import { companiesOfVendor, VENDOR_USER_FIELDS } from '../../src/api/technologies';
import { outputRows } from '../../src/n8n/files/rows-output';
import { perItem } from '../../src/n8n/per-item/per-item';
import { includeFirmographics } from '../shared/company';
import {
  header,
  ifNotFound,
  maxCredits,
  requestOptions,
  vendorSubdomains,
} from '../shared/options';
import { fileOptions, outputAs } from '../shared/output';
import { billedPaging, countOnly } from '../shared/paging';
import { simplify } from '../shared/simplify';
import { vendorDomain } from './vendor-domain';

const PAGE_SIZE = LIMITS.companiesOfPageSize;

/** `GET /v1/vendors/{domain}/companies` */
export const getByVendor = perItem({
  option: {
    name: 'Get Users by Vendor',
    value: 'getByVendor',
    description:
      "List companies that use a vendor's technologies. Costs 1 credit per company, once in 30 days.",
    action: 'Get users by vendor',
  },
  parameters: {
    domain: vendorDomain,
    wanted: billedPaging,
    countOnly,
    include: includeFirmographics,
    simplify,
    output: outputAs,
    options: requestOptions({
      ...fileOptions(PAGE_SIZE),
      header: header('the vendor and how many companies use it'),
      ifNotFound,
      maxCredits,
      subdomains: vendorSubdomains,
    }),
  },
  asked: ({ domain }) => ({ domain }),
  ask: async ({ domain, include, ...form }, session) =>
    await outputRows(session, form, {
      pages: (range) => companiesOfVendor(session.run, domain, { include }, range),
      pageSize: PAGE_SIZE,
      asked: { domain },
      name: `${domain}-companies`,
      columns: companyColumns(VENDOR_USER_FIELDS, include),
    }),
});
