import { AssentClient } from '@assent/client';
import { createApp, h, ref } from 'vue';
import { useAllowed } from './use-allowed.js';

const client = new AssentClient({ baseUrl: 'https://consent.example', apiKey: 'pk_live_…' });
const visitor = client.visitor();

const PlaceMap = {
  props: ['place'],
  setup({ place }) {
    const allowed = useAllowed(client, visitor, 'marketing');
    return () => h('p', allowed.value ? `A map of ${place}` : 'No map without your consent');
  },
};

const Choices = {
  setup() {
    const problem = ref('');
    const choose = async (decision) => {
      try {
        await client.recordConsent({ subject: visitor, purpose: 'marketing', decision });
        problem.value = '';
        client.notifyConsentChanged();
      } catch (error) {
        problem.value = `This could not be saved: ${error.message}`;
      }
    };
    return () => [
      h('button', { onClick: () => choose('GRANTED') }, 'Show maps'),
      h('button', { onClick: () => choose('WITHDRAWN') }, 'Show no maps'),
      h('p', { role: 'alert' }, problem.value),
    ];
  },
};

createApp(() => [h(PlaceMap, { place: 'Rome' }), h(PlaceMap, { place: 'Oslo' }), h(Choices)]).mount('#app');
