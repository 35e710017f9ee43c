// `npm run results`: renders docs/results into the pages that show them.
import { renderPages } from './pages.mts';

await renderPages();
