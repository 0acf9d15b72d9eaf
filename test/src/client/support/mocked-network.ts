import nock from 'nock';

/** No request of this file's tests leaves the process: what nock does not answer fails. */
export function mockTheNetwork(): void {
  // Importing nock turns it on; other files that share this process want the network.
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
