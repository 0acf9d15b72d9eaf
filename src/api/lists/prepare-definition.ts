import { isRow, type Row } from '../../run/answers/rows';
import { buildTree, conditionsOf, type GivenTree } from './build-tree';
import type { FilterCatalogue } from './catalogue';
import { checkConditions } from './check-definition';
import { conditionsIn } from './conditions';

/** A definition as the user gave it: as JSON, or put together from conditions. */
export type GivenDefinition = { readonly json: Row } | { readonly tree: GivenTree };

/**
 * Makes a definition ready to be sent: written where it was put together, compared with the
 * catalogue, stamped with the catalogue's `registry_version` (interface: Versioning, rule 3).
 *
 * @param check whether fields and operators are compared with the catalogue.
 * @throws {InputError} for what the catalogue does not know.
 */
export function prepareDefinition(
  given: GivenDefinition,
  catalogue: FilterCatalogue,
  check: boolean,
): Row {
  if (check) {
    checkConditions(
      'tree' in given ? conditionsOf(given.tree) : conditionsIn(given.json),
      catalogue,
    );
  }
  const definition = 'tree' in given ? buildTree(given.tree, catalogue) : unwrapped(given.json);
  const { registryVersion } = catalogue;
  return registryVersion === undefined
    ? definition
    : { ...definition, registry_version: registryVersion };
}

/** The item of a definition that was read has it under `definition`. */
function unwrapped(json: Row): Row {
  return isRow(json.definition) ? json.definition : json;
}
