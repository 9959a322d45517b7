/** Why no whole answer came. A short word without personal data, so that it may be kept in clear. */
export type OutboundFault =
  /** The settings allow no address of the host. */
  | 'address_not_allowed'
  /** No name server knows the host, or none answered. */
  | 'host_not_found'
  /** No server listens there, or no route leads there. */
  | 'connection_failed'
  /** The connection did not stand in time: name, TCP and TLS. */
  | 'connect_timed_out'
  /** The certificate is not trusted, has run out or belongs to another host, or no TLS is spoken there. */
  | 'tls_failed'
  /** It was closed before the whole answer had come. */
  | 'connection_lost'
  /** The whole answer did not come in time. */
  | 'timed_out'
  /** What came is no answer of HTTP/1.1, or its head is too long. */
  | 'not_http';

/** Ends an exchange with a fault that is known already. */
export class OutboundFailure extends Error {
  constructor(readonly fault: OutboundFault) {
    super(fault);
  }
}
