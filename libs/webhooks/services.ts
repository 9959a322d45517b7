export { endpointTroubles, type EndpointTroubles } from './deliveries/health-counts.js';
