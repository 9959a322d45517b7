import { AssentClient } from '@assent/client';
import { StrictMode, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { useAllowed } from './use-allowed.js';

const client = new AssentClient({ baseUrl: 'https://consent.example', apiKey: 'pk_live_…' });
const visitor = client.visitor();

function PlaceMap({ place }) {
  return useAllowed(client, visitor, 'marketing') ? <p>A map of {place}</p> : <p>No map without your consent</p>;
}

function Choices() {
  const [problem, setProblem] = useState('');
  const choose = async (decision) => {
    try {
      await client.recordConsent({ subject: visitor, purpose: 'marketing', decision });
      setProblem('');
      client.notifyConsentChanged();
    } catch (error) {
      setProblem(`This could not be saved: ${error.message}`);
    }
  };
  return (
    <>
      <button onClick={() => choose('GRANTED')}>Show maps</button>
      <button onClick={() => choose('WITHDRAWN')}>Show no maps</button>
      <p role="alert">{problem}</p>
    </>
  );
}

createRoot(document.getElementById('app')).render(
  <StrictMode>
    <PlaceMap place="Rome" />
    <PlaceMap place="Oslo" />
    <Choices />
  </StrictMode>,
);
