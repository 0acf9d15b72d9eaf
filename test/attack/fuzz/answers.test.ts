/**
 * Tests randomly mutated responses of the service: no row is lost, and every message is readable.
 */
import { fuzz, useFuzz } from './fuzz';
import { mutate, mutations } from './wild';

useFuzz();

it('keeps the invariants when responses are mutated at random', async () => {
  const complaints = await fuzz('answers', 6_000, mutations, (variant, changes) => ({
    variant,
    fault: {
      name: 'a mutated answer',
      fewerRows: true,
      strike: async ({ real, reply }) => {
        const { status, headers, body } = await real();
        reply(status, headers, status < 300 ? mutate(body, changes) : body);
      },
    },
    what: changes.map(({ kind, where }) => `${kind} at ${where.toFixed(2)}`).join(', '),
  }));

  expect(complaints.slice(0, 40)).toEqual([]);
});
