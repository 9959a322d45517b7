import { watch } from '@assent/client';
import { useEffect, useState } from 'react';

/**
 * Whether a purpose may be used now: false until the service has answered, and read again after each choice in any tab.
 * Components that ask at the same time share one request.
 */
export function useAllowed(client, subject, purpose) {
  const [allowed, setAllowed] = useState(false);
  useEffect(() => {
    let latest = 0;
    const look = async () => {
      const own = ++latest;
      try {
        const { purposes } = await client.getConsentState(subject);
        // Ignore an answer that is older than the last choice.
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
