import { NotFoundError } from '../../client/errors';
import { isRow } from '../../run/answers/rows';
import { buildTree, conditionsOf, type GivenTree } from './build-tree';
import type { FilterCatalogue } from './catalogue';
import { checkConditions, checkValues } from './check-definition';
import { conditionsIn } from './conditions';
import type { Definition } from './definitions';

/** A definition as the user gave it: as JSON, or put together from conditions. */
export type GivenDefinition = { readonly json: Definition } | { readonly tree: GivenTree };

/** Where a definition's catalogue comes from, and who is told when there is none. */
export interface CatalogueSource {
  readonly catalogue: () => Promise<FilterCatalogue>;
  readonly tell: (message: string) => void;
}

/** Stands for a catalogue that a service does not have: it says nothing, so that nothing is judged. */
const NO_CATALOGUE: FilterCatalogue = {
  registryVersion: undefined,
  fields: [],
  rows: [],
  beside: {},
};

/**
 * Makes a definition ready to be sent: written where it was put together, compared with the catalogue,
 * stamped with the catalogue's `registry_version` unless it has one (interface: Versioning, rule 3).
 * The catalogue is read only where it is needed: to compare the definition with it, to know what values are, or for its
 * `registry_version`. A service without one (404) judges definitions by itself.
 *
 * @param check whether fields, operators and values are compared with the catalogue.
 * @throws {InputError} for what the catalogue does not know.
 */
export async function readyDefinition(
  given: GivenDefinition,
  check: boolean,
  { catalogue, tell }: CatalogueSource,
): Promise<Definition> {
  if (!check && 'json' in given && hasStamp(given.json)) {
    return prepared(given, NO_CATALOGUE, false);
  }
  let known: FilterCatalogue;
  try {
    known = await catalogue();
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    known = NO_CATALOGUE;
    if (check) {
      tell(
        'The service has no catalogue of filter fields (404), so the definition was not checked.',
      );
    }
  }
  return prepared(given, known, check);
}

function prepared(given: GivenDefinition, catalogue: FilterCatalogue, check: boolean): Definition {
  if (check) {
    checkConditions(
      'tree' in given ? conditionsOf(given.tree) : conditionsIn(given.json),
      catalogue,
    );
  }
  const definition = 'tree' in given ? buildTree(given.tree, catalogue) : unwrapped(given.json);
  if (check) checkValues(conditionsIn(definition), catalogue);
  // A list has no place for a stamp.
  if (!isRow(definition)) return definition;
  const beside = 'json' in given && isRow(given.json) ? given.json.registry_version : undefined;
  const stamp = beside ?? catalogue.registryVersion;
  return stamp === undefined || definition.registry_version !== undefined
    ? definition
    : { ...definition, registry_version: stamp };
}

function hasStamp(json: Definition): boolean {
  const inner = unwrapped(json);
  return [json, inner].some((one) => !isRow(one) || one.registry_version !== undefined);
}

/** The item of a definition that was read has it under `definition`. */
function unwrapped(json: Definition): Definition {
  const inner = isRow(json) ? json.definition : undefined;
  return isRow(inner) || Array.isArray(inner) ? inner : json;
}
