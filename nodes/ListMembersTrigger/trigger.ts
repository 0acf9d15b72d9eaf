import { multipleChoice, withDescription } from '../../src/n8n/parameters/declare';
import type { TriggerDefinition } from '../../src/n8n/triggers/poll';
import { fetchMembersDiff, sampleMembers, type MemberEvent } from '../../src/watch/list-members';
import { listId, tier } from '../shared/list';
import { costNotice, createTriggerOptions } from '../shared/triggerOptions';

const parameters = {
  notice: costNotice(
    'A poll reads the whole list: 1 request per 100 members, plus 1 (501 for 50,000 members). Cost: up to 1 credit per member per 30 days.',
    30,
  ),
  listId,
  events: multipleChoice<MemberEvent>({
    displayName: 'Events',
    name: 'events',
    type: 'multiOptions',
    options: [
      { name: 'Member Added', value: 'added', description: 'A company became a member' },
      { name: 'Member Removed', value: 'removed', description: 'A member was removed' },
      {
        name: 'Member Tier Changed',
        value: 'tierChanged',
        description: 'The tier of a member changed',
      },
    ],
    default: ['added', 'removed', 'tierChanged'],
    description: 'Changes that start the workflow',
  }),
  tier: withDescription(
    tier,
    (usual) =>
      `${usual}: entering it counts as added, leaving it as removed. Member Tier Changed needs All Tiers.`,
  ),
  options: createTriggerOptions(
    30,
    "At 30, a list of 50,000 members takes 24,048 of the key's 100,000 requests per day",
    {},
  ),
};

export const trigger: TriggerDefinition<MemberEvent, typeof parameters> = {
  parameters,
  watched: (values) => values.listId,
  settings: (values) => values.tier,
  about: (values) => ({ list_id: values.listId }),
  sample: sampleMembers,
  fetchDiff: async (run, { listId: id, tier: one }, earlier) =>
    await fetchMembersDiff(run, { listId: id, tier: one === 'all' ? undefined : one }, earlier),
};
