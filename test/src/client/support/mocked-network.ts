import nock from 'nock';

/** Keeps all requests of a test file inside the process: a request without a mock fails. */
export function mockTheNetwork(): void {
  // The import of nock activates it, but other files in this process need the network.
  nock.restore();
  beforeAll(() => {
    nock.activate();
    nock.disableNetConnect();
  });
  afterAll(() => {
    nock.cleanAll();
    nock.enableNetConnect();
    nock.restore();
  });
}
