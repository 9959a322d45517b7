import { watch } from '@assent/client';
import { onScopeDispose, ref } from 'vue';

/**
 * Whether a purpose may be used now, as a ref: false until the service has answered, and read again after each choice in
 * any tab. Components that ask at the same time share one request.
 */
export function useAllowed(client, subject, purpose) {
  const allowed = ref(false);
  let latest = 0;
  const look = async () => {
    const own = ++latest;
    try {
      const { purposes } = await client.getConsentState(subject);
      // Ignore an answer that is older than the last choice.
      if (own === latest) allowed.value = purposes[purpose]?.effective === 'ALLOWED';
    } catch (error) {
      console.error(error);
    }
  };
  void look();
  onScopeDispose(watch(client, look));
  return allowed;
}
