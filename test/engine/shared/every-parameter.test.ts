/** Every visible parameter of an operation affects the requests, the output or the errors. */
import type { IDataObject, INodeParameters, INodeProperties, INodeType } from 'n8n-workflow';

import { answer, healthy, rewrite } from '../../attack/faults/fault';
import { runCell, type Cell } from '../../attack/matrix/cell';
import { FOLDERS, shownBy, variantsOf, type Variant } from '../../attack/operations/variants';
import type { Strike } from '../../attack/service/front';
import { Slots } from '../../attack/service/slots';
import { NODES } from '../../nodes/nodes';

let slots: Slots;
beforeAll(async () => {
  slots = await Slots.start(8);
});
afterAll(async () => {
  await slots.close();
});

type Value = INodeParameters[string];

/**
 * The conditions in which a parameter has an effect: other parameters, and a behavior of the
 * service.
 */
interface Scene {
  readonly parameters?: INodeParameters & { options?: INodeParameters };
  readonly strike?: Strike;
}

const formulas = rewrite((text) =>
  text.replaceAll('"name":"', '"name":"=').replaceAll(/\n(?=\w)/g, '\n='),
);
const running: Strike = async (blow) => {
  if (blow.asked.path.includes('/jobs/'))
    await answer(200, { job_id: 'job', status: 'running' })(blow);
  else await healthy(blow);
};

const SCENES: Readonly<Record<string, Scene>> = {
  byteOrderMark: { parameters: { output: 'csv' } },
  columnPrefix: { parameters: { options: { output: 'columns' } } },
  companyCountry: { parameters: { companyName: 'Acme' } },
  delimiter: { parameters: { output: 'csv' } },
  // Only the partners of Enrich Companies cost credits of their own.
  estimateFor: { parameters: { include: ['partnerships'] } },
  escapeFormulas: { parameters: { output: 'csv' }, strike: formulas },
  fieldsToKeep: { parameters: { output: 'selected' } },
  limit: { parameters: { returnAll: false } },
  maxWaitMinutes: { strike: running },
  returnAll: { parameters: { limit: 0 } },
  subdomains: {
    parameters: {
      countBy: 'vendor',
      vendorDomain: '={{ $json.vendor }}',
      filters: { partnerWith: 'shop.siemens.com' },
    },
  },
  technologyColumns: { parameters: { include: ['technologies'], simplify: true } },
};

/** Values that have an effect, for parameters that do not take an arbitrary word. */
const VALUES: Readonly<Record<string, Value>> = {
  partnerWith: 'hubspot.com',
  query: { parameters: [{ name: 'include', value: 'firmographics' }] },
};

/**
 * Returns other values, valid or not. The parameter has an effect if any of them makes a
 * difference.
 */
function otherValues({ name, type, options = [] }: INodeProperties): Value[] {
  if (name in VALUES) return [VALUES[name]!];
  const choices = options.flatMap((option) => ('value' in option ? [option.value] : []));
  switch (type) {
    case 'boolean':
      return [true, false];
    case 'number':
      return [0, 1, 2];
    case 'multiOptions':
      return [[], ...choices.map((one) => [one])];
    case 'options':
      return choices;
    default:
      return ['stripe', 'e', ''];
  }
}

/** Columns that an earlier run added to the rows. */
const EARLIER = Object.fromEntries(
  ['enriched_company_name', 'enriched_host', 'list_id', 'refresh_job_id'].map((name) => [
    name,
    'old',
  ]),
);

/**
 * Adds three items to the usual ones. They are for a company that the service does not track, a
 * subdomain of the first company, and a free-mail address.
 */
function wider(usual: readonly IDataObject[]): IDataObject[] {
  const each = (change: (value: string) => string) =>
    Object.fromEntries(
      Object.entries(usual[0] ?? {}).map(([name, value]) => [
        name,
        typeof value === 'string' && value.includes('.') ? change(value) : value,
      ]),
    );
  const more = [
    each(() => 'nobody-tracks-this.com'),
    each((value) => `app.${value}`),
    each(() => 'jo@gmail.com'),
  ].map((item, index) => ({ ...item, id: usual.length + index }));
  return [...usual, ...more].map((item) => ({ ...item, ...EARLIER }));
}

async function evidenceOf(variant: Variant, scene: Scene): Promise<string> {
  const { options, ...parameters } = { options: {}, ...scene.parameters };
  const known = Object.entries(options).filter(([name]) => variant.entries.includes(name));
  const changed = {
    ...variant.parameters,
    ...parameters,
    options: { ...variant.parameters.options, ...Object.fromEntries(known) },
  };
  const cell: Cell = {
    variant: { ...variant, parameters: changed },
    fault: { name: '', strike: scene.strike ?? healthy },
    onError: 'continueRegularOutput',
  };
  return await slots
    .with(async (slot) => {
      const { happened } = await runCell(cell, slot, slots.stranger, wider);
      const { asked, items, stopped, hints } = happened;
      const sent = asked.map(({ method, path, body }) => `${method} ${path} ${body}`);
      return JSON.stringify([sent.toSorted(), items, stopped?.message, hints]);
    })
    .catch(String);
}

/** A parameter of an operation, or a parameter in one of its collections. */
interface Declared {
  readonly property: INodeProperties;
  readonly collection?: string;
}

async function changesNothing(
  variant: Variant,
  { property, collection }: Declared,
): Promise<boolean> {
  const { name } = property;
  const scene = SCENES[name] ?? {};
  const usual = await evidenceOf(variant, scene);
  for (const value of otherValues(property)) {
    const others = { ...(scene.parameters?.[collection ?? ''] as INodeParameters | undefined) };
    const change =
      collection === undefined ? { [name]: value } : { [collection]: { ...others, [name]: value } };
    const changed = { ...scene, parameters: { ...scene.parameters, ...change } };
    if ((await evidenceOf(variant, changed)) !== usual) return false;
  }
  return true;
}

function declaredBy(node: INodeType, { parameters }: Variant): Declared[] {
  const skipped = new Set(['resource', 'operation']);
  return shownBy({ node }, parameters)
    .flatMap((property): Declared[] =>
      property.type === 'collection'
        ? (property.options as INodeProperties[]).map((inner) => ({
            property: inner,
            collection: property.name,
          }))
        : [{ property }],
    )
    .filter(
      ({ property: { name, type } }) => !['notice', 'hidden'].includes(type) && !skipped.has(name),
    );
}

it('has scenes and values only for parameters that a node has', () => {
  const declared = NODES.flatMap(({ node }) => node.description.properties).flatMap((property) => [
    property.name,
    ...(property.options ?? []).map(({ name }) => name),
  ]);
  const known = [...Object.keys(SCENES), ...Object.keys(VALUES)];
  expect(known.filter((name) => !declared.includes(name))).toEqual([]);
});

describe.each(FOLDERS)('%s', (folder) => {
  it('has no parameter without an effect on requests, output or errors', async () => {
    const { node } = NODES.find((one) => one.folder === folder)!;
    const variants = (await variantsOf(folder)).filter(({ isBase }) => isBase);
    const idle = variants.flatMap((variant) =>
      declaredBy(node, variant).map(async (one) =>
        (await changesNothing(variant, one)) ? `${variant.title}: ${one.property.name}` : '',
      ),
    );

    expect((await Promise.all(idle)).filter((one) => one !== '')).toEqual([]);
  });
});
