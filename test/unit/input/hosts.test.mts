import { expect, it } from 'vitest';
import { hasPrivateHost } from '../../../nodes/ContactData/input/hosts.ts';

const hostsIn = (text: string) => text.trim().split(/\s+/);

const PRIVATE = hostsIn(`
	localhost LocalHost 127.0.0.1 [::1] 10.0.0.1 192.168.1.1 172.16.0.1 172.20.0.1 172.31.0.1 0.0.0.0
	[fc00::1] [fd12::1] [::] n8n n8n.local n8n.localhost n8n.internal n8n.my.lan n8n.home n8n.intranet
`);
const PUBLIC = hostsIn(`
	n8n.example.com localhost.example.com mylocalhost.com 10.example.com internal.example.com n8n.locals
	lan.io 8.8.8.8 110.0.0.1 192.167.1.1 172.15.0.1 172.32.0.1 1.172.16.1 [2001:db8::1] [1:fc00::1]
`);

it.for([...PRIVATE.map((host) => [host, true]), ...PUBLIC.map((host) => [host, false])] as const)(
	'%s cannot be reached from the internet: %j',
	([host, isPrivate]) => {
		for (const end of ['', ':5678/webhook/x?y#z']) {
			expect(hasPrivateHost(`https://${host}${end}`)).toBe(isPrivate);
		}
	},
);

it('what is no URL leads nowhere', () => {
	expect(['', 'n8n', 'localhost:5678', '://n8n'].filter(hasPrivateHost)).toEqual([]);
});
