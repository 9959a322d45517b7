import { addressOf } from './eventstoredb-connection.js';

/** What the client reads of an address: of an option that is there twice the last one counts. */
const optionsOf = (address: string): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(address.slice(address.indexOf('?') + 1)));

describe('the address of a connection to EventStoreDB', () => {
  it('says what the URL does not: a frozen node is to be left soon, and no two connections are alike', () => {
    expect(optionsOf(addressOf('esdb://a:2113,b:2113?tls=false', 'assent-read', 7))).toEqual({
      tls: 'false',
      keepAliveInterval: '10000',
      keepAliveTimeout: '2007',
      gossipTimeout: '1',
      connectionName: 'assent-read',
      throwOnAppendFailure: 'true',
    });
    expect(addressOf(' esdb://a:2113/ ', 'n', 0)).toMatch(/^esdb:\/\/a:2113\?/);
  });

  it.each([
    ['keepAliveInterval=4000', { keepAliveInterval: '4000', keepAliveTimeout: '2007' }],
    ['KeepAliveTimeout=600', { keepAliveInterval: '10000', keepAliveTimeout: '607' }],
    ['keepAliveTimeout=-1', { keepAliveInterval: '10007', keepAliveTimeout: '-1' }],
    ['keepAliveInterval=-1', { keepAliveInterval: '-1', keepAliveTimeout: '2007' }],
    ['keepAliveInterval=-1&keepAliveTimeout=-1', { keepAliveInterval: '-1', keepAliveTimeout: '7' }],
    ['gossipTimeout=9', { gossipTimeout: '9' }],
    ['connectionName=ours', { connectionName: 'ours' }],
  ])('holds to %s', (said, options) => {
    expect(optionsOf(addressOf(`esdb://a:2113?${said}`, 'assent-read', 7))).toMatchObject(options);
  });
});
