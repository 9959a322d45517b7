import { providersOf } from './provider-file.js';
import type { ProviderList } from './providers.js';

/** Ten providers that do not exist, in the form of Google's file; 89 is the one that the demo catalogue names. */
const FILE = `provider_id,provider_name,policy_url,domains
"7","Synthetic Seven","https://provider-7.example/privacy","provider-7.example"
"21","Synthetic Twenty-One","https://provider-21.example/privacy","provider-21.example"
"35","Synthetic Thirty-Five, Inc.","https://provider-35.example/privacy","provider-35.example"
"41","Synthetic Forty-One","https://provider-41.example/privacy","provider-41.example cdn-41.example"
"70","Synthetic ""Seventy""","https://provider-70.example/privacy","provider-70.example"
"81","Synthetic Eighty-One","https://provider-81.example/privacy","provider-81.example"
"89","Demo Ads Inc (synthetic)","https://ads.example/privacy","ads.example"
"93","Synthetic Ninety-Three","https://provider-93.example/privacy","provider-93.example"
"101","Synthetic Hundred And One","https://provider-101.example/privacy","provider-101.example"
"3100","Highest Id (synthetic)","https://provider-3100.example/privacy","provider-3100.example"
`;

/** In use if no list is configured. */
export const SYNTHETIC_PROVIDERS: ProviderList = providersOf(FILE, true);
