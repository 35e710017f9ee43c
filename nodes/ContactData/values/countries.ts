import { quote } from '../common/values';
import { saysNothing } from './names';
import type { Checked } from './types';

/** ISO 3166-1: each country in two letters, and behind them in three. */
const CODES = [
	'ADAND AEARE AFAFG AGATG AIAIA ALALB AMARM AOAGO AQATA ARARG ASASM ATAUT AUAUS AWABW AXALA AZAZE',
	'BABIH BBBRB BDBGD BEBEL BFBFA BGBGR BHBHR BIBDI BJBEN BLBLM BMBMU BNBRN BOBOL BQBES BRBRA BSBHS',
	'BTBTN BVBVT BWBWA BYBLR BZBLZ CACAN CCCCK CDCOD CFCAF CGCOG CHCHE CICIV CKCOK CLCHL CMCMR CNCHN',
	'COCOL CRCRI CUCUB CVCPV CWCUW CXCXR CYCYP CZCZE DEDEU DJDJI DKDNK DMDMA DODOM DZDZA ECECU EEEST',
	'EGEGY EHESH ERERI ESESP ETETH FIFIN FJFJI FKFLK FMFSM FOFRO FRFRA GAGAB GBGBR GDGRD GEGEO GFGUF',
	'GGGGY GHGHA GIGIB GLGRL GMGMB GNGIN GPGLP GQGNQ GRGRC GSSGS GTGTM GUGUM GWGNB GYGUY HKHKG HMHMD',
	'HNHND HRHRV HTHTI HUHUN IDIDN IEIRL ILISR IMIMN ININD IOIOT IQIRQ IRIRN ISISL ITITA JEJEY JMJAM',
	'JOJOR JPJPN KEKEN KGKGZ KHKHM KIKIR KMCOM KNKNA KPPRK KRKOR KWKWT KYCYM KZKAZ LALAO LBLBN LCLCA',
	'LILIE LKLKA LRLBR LSLSO LTLTU LULUX LVLVA LYLBY MAMAR MCMCO MDMDA MEMNE MFMAF MGMDG MHMHL MKMKD',
	'MLMLI MMMMR MNMNG MOMAC MPMNP MQMTQ MRMRT MSMSR MTMLT MUMUS MVMDV MWMWI MXMEX MYMYS MZMOZ NANAM',
	'NCNCL NENER NFNFK NGNGA NINIC NLNLD NONOR NPNPL NRNRU NUNIU NZNZL OMOMN PAPAN PEPER PFPYF PGPNG',
	'PHPHL PKPAK PLPOL PMSPM PNPCN PRPRI PSPSE PTPRT PWPLW PYPRY QAQAT REREU ROROU RSSRB RURUS RWRWA',
	'SASAU SBSLB SCSYC SDSDN SESWE SGSGP SHSHN SISVN SJSJM SKSVK SLSLE SMSMR SNSEN SOSOM SRSUR SSSSD',
	'STSTP SVSLV SXSXM SYSYR SZSWZ TCTCA TDTCD TFATF TGTGO THTHA TJTJK TKTKL TLTLS TMTKM TNTUN TOTON',
	'TRTUR TTTTO TVTUV TWTWN TZTZA UAUKR UGUGA UMUMI USUSA UYURY UZUZB VAVAT VCVCT VEVEN VGVGB VIVIR',
	'VNVNM VUVUT WFWLF WSWSM YEYEM YTMYT ZAZAF ZMZMB ZWZWE',
];
const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'sv', 'pl'];
const DISPLAY_NAMES = [
	...LANGUAGES.map((language) => new Intl.DisplayNames(language, { type: 'region' })),
	// UK, US and Hong Kong.
	new Intl.DisplayNames('en', { type: 'region', style: 'short' }),
];
/** Usual names that `Intl.DisplayNames` lacks. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
	AE: ['UAE', 'Emirates'],
	BA: ['Bosnia', 'Bosnia-Herzegovina'],
	BN: ['Brunei Darussalam'],
	CD: ['Democratic Republic of the Congo', 'DR Congo', 'DRC'],
	CG: ['Congo'],
	CI: ['Ivory Coast'],
	CN: ["People's Republic of China", 'PRC', 'Mainland China'],
	CZ: ['Czech Republic'],
	FI: ['Suomi'],
	GB: [
		'Großbritannien',
		'Grossbritannien',
		'Britain',
		'Great Britain',
		'England',
		'Scotland',
		'Wales',
		'Northern Ireland',
	],
	HK: ['Hong Kong SAR'],
	KP: ["Democratic People's Republic of Korea"],
	KR: ['Korea'],
	LA: ["Lao People's Democratic Republic", 'Lao PDR'],
	MK: ['Macedonia'],
	MM: ['Burma'],
	MO: ['Macau'],
	NL: ['Holland'],
	RU: ['Russian Federation'],
	SA: ['KSA'],
	SK: ['Slovak Republic'],
	SY: ['Syrian Arab Republic'],
	SZ: ['Swaziland'],
	TL: ['East Timor'],
	TR: ['Turkey', 'Türkiye'],
	TW: ['Republic of China', 'Taiwan, Province of China', 'Taiwan, Republic of China'],
	US: ['USA', 'United States of America', 'EUA', 'EE.UU.'],
	VA: ['Vatican', 'Holy See'],
};
/** `Republic of`, `United Kingdom of`; not what parts the two Koreas, the two Congos, and the two Chinas. */
const FORM_OF_STATE =
	/^(?:the )?(?!republic of china)(?:(?:(?:arab|bolivarian|federal|federative|hashemite|islamic|oriental|socialist|united) )?(?:republic|kingdom)|plurinational state|federated states|state) of /;

/** By code, and by name as it is compared. */
const COUNTRIES = new Map(
	CODES.flatMap((line) => line.split(' ')).flatMap((codes) => {
		const code = codes.slice(0, 2);
		const names = DISPLAY_NAMES.map((display) => display.of(code) ?? code);
		const compared = [...names, ...(OTHER_NAMES[code] ?? [])].map(comparableName);
		return [code, codes.slice(2), ...compared].map((key): [string, string] => [key, code]);
	}),
);

/** The code of the country that a text names. */
export function checkCountry(text: string): Checked {
	const code = codeOf(text) ?? codeOfBoth(text);
	if (code !== undefined || saysNothing(text)) return { text: code };
	return { problem: `must be a country such as US or Germany, but is ${quote(text)}` };
}

function codeOf(text: string): string | undefined {
	return COUNTRIES.get(text.toUpperCase()) ?? COUNTRIES.get(comparableName(text));
}

/** `United Kingdom (UK)` and `FR - France` name one country twice. */
function codeOfBoth(text: string): string | undefined {
	const codes = text
		.split(/ ?\(|\)| - /)
		.filter(Boolean)
		.map(codeOf);
	return new Set(codes).size === 1 ? codes[0] : undefined;
}

/** `Korea, Republic of` and `Republic of Korea` are the same, as are `Saint Lucia` and `St. Lucia`. */
function comparableName(text: string): string {
	return text
		.normalize('NFKD')
		.toLowerCase()
		.replace(/^([^,(]+)[,(] ?([^)]*)\)?$/, '$2 $1')
		.replace(FORM_OF_STATE, '')
		.replace(/&/g, 'and')
		.replace(/\bsaint\b/g, 'st')
		.replace(/\bthe\b|\P{L}/gu, '');
}
