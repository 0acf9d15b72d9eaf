/**
 * Engine tests for each folder of the product, for `npm test -- --quick`. n8n loads nodes by name,
 * so imports do not show these dependencies. The longest matching path is used. A path with an
 * empty list has only unit tests. The keys are paths in the project, the values are paths in
 * test/engine.
 *
 * @type {Record<string, string[]>}
 */
const ENGINE_TESTS = {
  'nodes/': ['company-lookup', 'bulk-enrich'],
  'nodes/AccountChangesTrigger/': ['account-changes-trigger'],
  'nodes/ApiRequest/': ['api-request'],
  'nodes/BulkEnrich/': ['bulk-enrich'],
  'nodes/CompanyList/': ['company-list'],
  'nodes/CompanyLookup/': ['company-lookup'],
  'nodes/FlagData/': ['flag-data'],
  'nodes/ListMembers/': ['list-members'],
  'nodes/ListMembersTrigger/': ['list-members-trigger'],
  'nodes/PartnerGraph/': ['partner-graph'],
  'nodes/RefreshAndWait/': ['refresh-and-wait'],
  'nodes/TechUsers/': ['tech-users'],
  'nodes/TechUsersTrigger/': ['tech-users-trigger'],
  'credentials/': ['credentials.test'],
  'src/': ['company-lookup', 'bulk-enrich', 'shared/failures'],
  'src/graph/': ['partner-graph'],
  'src/n8n/files/': ['shared/files', 'list-members/export-csv'],
  'src/n8n/jobs/': ['refresh-and-wait'],
  'src/n8n/triggers/': ['list-members-trigger', 'tech-users-trigger', 'account-changes-trigger'],
  'src/watch/': ['list-members-trigger', 'tech-users-trigger', 'account-changes-trigger'],
};

/**
 * @param {string[]} changed paths below the project
 * @returns {string[]} parts of the paths of the engine tests to run, without duplicates
 */
export function engineTestsFor(changed) {
  const folders = changed.flatMap((file) => {
    const fitting = Object.keys(ENGINE_TESTS).filter((folder) => file.startsWith(folder));
    const nearest = fitting.sort((one, other) => other.length - one.length)[0];
    return nearest === undefined ? [] : (ENGINE_TESTS[nearest] ?? []);
  });
  const own = changed.filter((file) => /^test\/engine\/.+\.test\.ts$/.test(file));
  return [...new Set([...folders.map((folder) => `test/engine/${folder}`), ...own])];
}

/** The folders of the product in the table. */
export const KNOWN_FOLDERS = Object.keys(ENGINE_TESTS);
