import type { ScenarioName } from './scenarios/index.mts';
import { DEFAULT_WEBHOOK_SETTINGS, type WebhookSettings } from './notifier.mts';
import type { Submission } from './types.mts';

/** How long a job takes in ms: always the same, or depending on what is looked up. */
export type Duration = number | ((submission: Submission) => number);

/** What can be changed while the service runs. */
export interface Settings {
	/** Default 300 ms. */
	single: Duration;
	/** Default 1,500 ms. */
	bulk: Duration;
	/** How it answers otherwise than by default; they act in the order of the table. */
	scenarios: readonly ScenarioName[];
	webhooks: WebhookSettings;
}

/** Some of the settings; those left out stay as they are. */
export interface SettingsChange extends Partial<Omit<Settings, 'webhooks'>> {
	readonly webhooks?: Partial<WebhookSettings>;
}

export const DEFAULT_SETTINGS: Readonly<Settings> = {
	single: 300,
	bulk: 1_500,
	scenarios: [],
	webhooks: DEFAULT_WEBHOOK_SETTINGS,
};

export function changed(settings: Readonly<Settings>, change: SettingsChange): Settings {
	return {
		...settings,
		...change,
		scenarios: change.scenarios ?? settings.scenarios,
		webhooks: { ...settings.webhooks, ...change.webhooks },
	};
}
