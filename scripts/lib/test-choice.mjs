/**
 * Which tests in n8n's engine belong to which folders of the product, for `npm test -- --quick`. Nodes are
 * loaded by name, so imports do not tell. The longest path that fits counts; what is here with no
 * folders is tested by unit tests alone. Paths are those of the project, folders those of test/engine.
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
  'src/graph/': ['partner-graph/graphs'],
  'src/n8n/files/': ['shared/files', 'list-members/export-csv'],
  'src/n8n/jobs/': ['refresh-and-wait'],
  'src/n8n/triggers/': ['list-members-trigger', 'tech-users-trigger', 'account-changes-trigger'],
  'src/watch/': ['list-members-trigger', 'tech-users-trigger', 'account-changes-trigger'],
};

/**
 * @param {string[]} changed paths below the project
 * @returns {string[]} what the paths of the engine tests contain that should run; each once
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

/** The folders of the product that the table knows. */
export const KNOWN_FOLDERS = Object.keys(ENGINE_TESTS);
