import { watch } from '@assent/client';
import { useEffect, useState } from 'react';

/**
 * Whether a purpose may be used for now: false until the service has said so, and anew after each choice, whichever tab it
 * is made in. Components that ask at the same time share one request.
 */
export function useAllowed(client, subject, purpose) {
  const [allowed, setAllowed] = useState(false);
  useEffect(() => {
    let latest = 0;
    const look = async () => {
      const own = ++latest;
      try {
        const { purposes } = await client.getConsentState(subject);
        // An answer that was overtaken by a choice says nothing any more.
        if (own === latest) setAllowed(purposes[purpose]?.effective === 'ALLOWED');
      } catch (error) {
        console.error(error);
      }
    };
    void look();
    const stop = watch(client, look);
    return () => {
      latest = -1;
      stop();
    };
  }, [client, subject, purpose]);
  return allowed;
}
