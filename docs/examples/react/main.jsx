import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Gate } from './gate.jsx';

createRoot(document.getElementById('app')).render(
  <StrictMode>
    <main>
      <h1>A page of React</h1>
      <Gate purpose="marketing">
        <iframe src="https://video.example/1" title="How we make lamps" width="560" height="315" />
      </Gate>
    </main>
    <footer>
      <assent-choices-link />
    </footer>
  </StrictMode>,
);
