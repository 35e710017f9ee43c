import { DEFAULT_WEBHOOK_SETTINGS, type WebhookSettings } from './notifier.mts';
import type { Submission } from './types.mts';
import { DEFAULT_VARIANTS, type Variants } from './variants.mts';

/** How long a lookup takes in ms: always the same, or depending on what is looked up. */
export type Duration = number | ((submission: Submission) => number);

/** What can be changed while the service runs. */
export interface Settings {
	/** Default 300 ms. */
	single: Duration;
	/** Default 1,500 ms. */
	bulk: Duration;
	/** Single lookups without a result are credited back; the document says so of bulk alone. */
	refundSingles: boolean;
	variants: Variants;
	webhooks: WebhookSettings;
}

/** Some of the settings; those left out stay as they are. */
export interface SettingsChange extends Partial<Omit<Settings, 'variants' | 'webhooks'>> {
	readonly variants?: Partial<Variants>;
	readonly webhooks?: Partial<WebhookSettings>;
}

export const DEFAULT_SETTINGS: Readonly<Settings> = {
	single: 300,
	bulk: 1_500,
	refundSingles: false,
	variants: DEFAULT_VARIANTS,
	webhooks: DEFAULT_WEBHOOK_SETTINGS,
};

export function changed(settings: Readonly<Settings>, change: SettingsChange): Settings {
	return {
		...settings,
		...change,
		variants: { ...settings.variants, ...change.variants },
		webhooks: { ...settings.webhooks, ...change.webhooks },
	};
}
