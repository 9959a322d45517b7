import { watch } from '@assent/client';
import { onScopeDispose, ref } from 'vue';

/**
 * Whether a purpose may be used for now, as a ref: false until the service has said so, and anew after each choice,
 * whichever tab it is made in. Components that ask at the same time share one request.
 */
export function useAllowed(client, subject, purpose) {
  const allowed = ref(false);
  let latest = 0;
  const look = async () => {
    const own = ++latest;
    try {
      const { purposes } = await client.getConsentState(subject);
      // An answer that was overtaken by a choice says nothing any more.
      if (own === latest) allowed.value = purposes[purpose]?.effective === 'ALLOWED';
    } catch (error) {
      console.error(error);
    }
  };
  void look();
  onScopeDispose(watch(client, look));
  return allowed;
}
