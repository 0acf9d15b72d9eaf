import { z } from 'zod/v4';

import { formatOtherResponse, hasAnyField } from '../run/responses/rows';
import type { Row } from '../values/json';

/**
 * Schemas of the responses (API spec: Resources, Endpoints). Responses are compared with them and never
 * changed: no field is required, null is an unknown value, and unknown fields pass. Each schema says in its
 * own words what a response is that is something else as a whole.
 */

const text = z.string().nullish();
const number = z.number().nullish();
const boolean = z.boolean().nullish();
/** One that JavaScript cannot represent exactly arrives as text. */
const id = z.union([z.number(), z.string()]).nullish();
const list = <T extends z.ZodType>(entry: T) => z.array(entry).nullish();

// --- Resources -----------------------------------------------------------------------------------

export const firmographics = z.object({
  industry: text,
  employee_range: text,
  country: text,
  founded_year: number,
  tech_count: number,
  open_jobs_count: number,
  partnership_count: number,
});

const companyTechnology = z.object({
  tech_key: text,
  display_name: text,
  detection_count: number,
  first_seen: text,
  last_seen: text,
});

export const company = z.object({
  name: text,
  primary_domain: text,
  slug: text,
  partnership_count: number,
  domains: list(z.string()),
  investors: list(z.unknown()),
  firmographics: firmographics.nullish(),
  technologies: list(companyTechnology),
});

const namedCompany = z.object({ slug: text, name: text, primary_domain: text });

const bulkCompany = z.object({
  domain: text,
  status: text,
  company: namedCompany.extend({ firmographics: firmographics.nullish() }).nullish(),
  technologies: list(
    z.object({
      tech_key: text,
      display_name: text,
      vendor_name: text,
      last_seen_at: text,
      evidence_count: number,
    }),
  ),
  partnerships: list(z.unknown()),
  technology_count: number,
  partnership_count: number,
});

export const technology = z.object({ tech_key: text, display_name: text, vendor_name: text });

export const user = namedCompany.extend({
  detection_count: number,
  first_seen_at: text,
  last_seen_at: text,
  firmographics: firmographics.nullish(),
});

export const vendorUser = user.extend({
  technologies_used: list(z.object({ tech_key: text, display_name: text })),
  additional_signals: list(z.unknown()),
});

export const partner = z.object({
  partner_name: text,
  partner_domain: text,
  partner_slug: text,
  partnership_type: text,
  first_observed_at: text,
  last_observed_at: text,
  observation_count: number,
});

export const reversePartner = namedCompany.extend({
  first_seen_at: text,
  last_seen_at: text,
  observation_count: number,
  firmographics: firmographics.nullish(),
});

export const sharedPartner = namedCompany;

export const enrichment = z.object({
  domain: text,
  status: text,
  company_name: text,
  company_id: id,
  slug: text,
  partnership_count: number,
  partnerships: list(partner.omit({ partnership_type: true })),
});

// --- Responses -----------------------------------------------------------------------------------

/** The body of an error can have them too. */
const COMMON_FIELDS = ['error', 'name', 'status'];

function resource<S extends z.ZodObject>(schema: S) {
  const own = Object.keys(schema.shape).filter((name) => !COMMON_FIELDS.includes(name));
  return z
    .custom<Row>((json) => hasAnyField(json, own), {
      error: ({ input }) => formatOtherResponse(input, own),
    })
    .pipe(schema);
}

const pagination = z
  .object({
    page: number,
    limit: number,
    total_results: number,
    total_pages: number,
    has_next: boolean,
  })
  .nullish();

export const companyResponse = resource(company);
export const bulkLookup = z.object({
  data: list(bulkCompany),
  total_domains_requested: number,
  domains_found: number,
  domains_not_found: list(z.string()),
  rejected: number,
  rejected_domains: list(z.unknown()),
});
/** Can be empty, because the `Location` header has the ID too. */
export const refresh = z
  .object({ job_id: text }, { error: formatOtherResponse(undefined) })
  .nullish();
export const job = resource(
  z.object({
    job_id: text,
    status: text,
    submitted_at: text,
    completed_at: text,
    summary: z
      .object({ succeeded: number, failed: number, processing: number, total: number })
      .nullish(),
    domains: list(z.object({ domain: text, status: text, error: z.unknown() })),
    data_freshness: z.unknown(),
  }),
);
export const companies = z.object({ data: list(company), pagination });
export const createdFlag = resource(z.object({ flag_id: id, company_id: id, status: text }));

export const technologies = z.object({ technologies: list(technology), pagination });
export const technologyUsers = z.object({
  technology: technology.extend({ total_companies: number }).nullish(),
  data: list(user),
  pagination,
});
export const vendorUsers = z.object({
  vendor: z
    .object({ vendor_slug: text, vendor_name: text, domain: text, total_companies: number })
    .nullish(),
  data: list(vendorUser),
  pagination,
});

export const partners = z.object({
  data: list(partner),
  pagination,
  company: namedCompany.extend({ partnership_count: number }).nullish(),
  type_counts: z.object({ technology: number, channel: number, generic: number }).nullish(),
});
export const reversePartners = z.object({
  partner: z.object({ name: text, domain: text, total_companies: number }).nullish(),
  data: list(reversePartner),
  pagination,
});
const pair = { company_a: namedCompany.nullish(), company_b: namedCompany.nullish() };
export const partnership = resource(
  z.object({
    ...pair,
    partnership_type: text,
    first_observed_at: text,
    shared_partner_count: number,
    attributions: list(z.object({ source: text, source_label: text, observed_at: text })),
  }),
);
export const sharedPartners = z.object({
  ...pair,
  data: list(company.extend(partner.shape)),
  pagination,
});
/** Converted, so that an edge finds its node even if only one of the two ids is text. */
const nodeId = z
  .union([z.number(), z.string().min(1)])
  .transform((given) => (Number.isSafeInteger(Number(given)) ? Number(given) : given));
/** The only one that changes a response, to draw it: ids are required, and other fields have defaults. */
export const network = z.looseObject({
  root_company: nodeId.optional().catch(undefined),
  root_companies: z.array(nodeId).optional().catch(undefined),
  nodes: z.array(
    z.looseObject({
      id: nodeId,
      name: z.string().catch(''),
      primary_domain: z.string().catch(''),
      partnership_count: z.coerce.number().catch(0),
      is_root: z.boolean().catch(false),
    }),
  ),
  edges: z
    .array(z.looseObject({ source: nodeId, target: nodeId }))
    .nullish()
    .transform((edges) => edges ?? []),
});
export const graph = resource(network);

export const enrichments = z.object({
  results: list(enrichment),
  total_domains_requested: number,
  domains_found: number,
  domains_with_partnerships: number,
});

/** The API spec shows names but no types, and no envelope. */
export const savedList = z.looseObject({ name: text, access_level: text });
export const previewCount = resource(z.object({ count: number, capped: boolean }));
export const memberCounts = resource(
  z.object({
    total_count: number,
    high_count: number,
    medium_count: number,
    exploratory_count: number,
  }),
);
export const anyJson = z.union([z.looseObject({}), z.array(z.unknown())], {
  error: 'The response is neither an object nor a list',
});
export const anyBody = z.unknown();
