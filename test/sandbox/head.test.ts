import { useSandbox } from './harness';

const service = useSandbox();

test('HEAD, of which the interface says nothing, is answered as GET is, without a body', async () => {
  const head = async (path: string) =>
    await fetch(service.sandbox.baseUrl + path, {
      method: 'HEAD',
      headers: { 'x-api-key': service.sandbox.keys.user },
    });
  const found = await head('/v1/technologies?q=a');

  expect([found.status, await found.text()]).toEqual([200, '']);
  expect((await head('/v1/nowhere')).status).toBe(404);
});
