import { OPENING } from './opt-out-requests.ts'
import {
  ANYMORE,
  DETERMINERS,
  DO_NOT,
  TEXTS_OR_PRONOUN,
  LIST,
  MY_NUMBER,
  NEGATION,
  RECIPIENT,
  ADDRESS_BOOK,
  TEXTING,
  TEXTS,
  STOP_VERB,
  TEXT_VERB,
  createRules,
} from './opt-out-vocabulary.ts'

/** Rules for messages that may be opt-out requests. An instructor has to decide. */

const OTHER_THINGS =
  '(?:by|in|at|over|sign|signs|watch|drop|here|there|class|classes|lesson|lessons|karate|' +
  'judo|training|practice|membership|payment|payments|billing|autopay|charge|charges|' +
  'subscription|program|session|sessions|trial|him|her|light|bus|work|\\w+ing(?<!texting|' +
  'txting|messaging|sending|calling|emailing|contacting|spamming|bothering|everything|anything|' +
  'writing))'
const WRONG_NUMBER =
  '\\bwrong (?:number|nmber|numbr|numer|nuber|num|person|phone)\\b(?! (?:of|on|case)\\b)'
const FAMILY_MEMBER =
  '(?:(?:my|his|her|their|our|leos?) (?:\\w+ )?\\w+|dad|mom|mum|mama|papa|grandma|grandpa|him|her)'

/** Each of these may be anywhere in a sentence. */
export const UNCLEAR_REQUESTS = createRules({
  'Wrong nmber': WRONG_NUMBER,
  'Se equivocó de número': '\\b(?:numero equivocado|equivoc\\w+ de numero)\\b',
  // Requests that may also answer a question or be about something else.
  'No texts': [
    `^no (?:more|mas|${TEXTS})$|^no more (?:\\w+ )?(?:of (?:this|these|it|those)|updates?|`,
    `emails?|info|news)$`,
  ],
  'Stop me': `^stop(?! the | ${OTHER_THINGS}\\b)(?: (?!${OTHER_THINGS}\\b)\\w+){1,3}$`,
  'Leo quit, stop his fee reminders': [
    `\\b(?:stop|quit|cease|discontinue) (?!${OTHER_THINGS}\\b)${DETERMINERS}(?:\\w+ `,
    '){0,2}(?:texts|messages|msgs|reminders|notifications|alerts|sms|spam|updates|notices|blasts|',
    `newsletters?)\\b`,
  ],
  'I blocked you, stop it': [
    `(?<!\\b(?:to|can|cant|could|couldnt|not|and|or|i|we|ill|well|will) )\\bstop (?:all `,
    `)?(?:of )?(?:it|this|that|these|those|them|everything|all)$`,
  ],
  'How do I stop getting texts?': [
    `\\bstop (?:getting|receiving) (?:${DETERMINERS}${TEXTS}|`,
    `these|those|this)\\b`,
  ],
  'I texted STOP and still get these':
    '\\b(?:texted|replied|sent|said|wrote|typed|answered|responded)(?: with)? stop\\b',
  'We moved, could you stop?': `^${OPENING} stop$|\\b(?:can|could|will|would) (?:you|u) stop$`,
  'I want to stop': '^(?:i|we) (?:want|would like|need|wish) to stop$',
  'Cancel all': [
    '^(?:cancel|end|quit|mute|silence|terminate)(?: (?:all|it|it all|this|that|these|',
    'everything))$|^terminate$',
  ],
  'Could you please discontinue these?':
    '\\b(?:discontinue|cease|halt) (?:(?:all|any|of) )*(?:this|these|those|them|it|all)\\b',
  'Cease and desist': '\\bcease and desist\\b',
  'Stop, I beg you':
    '^stop (?:i|im|ive|we|weve|you|u|this is|stop|and|or)\\b(?! (?:go|shop|think|smell)\\b)',
  'These texts need to stop': [
    `\\b(?:${TEXTS}|this|these|it all) (?:need|needs|have|has|must|should)(?: to)? (?:stop|`,
    `end)$|\\bmake (?:it|this|these|them)(?: ${TEXTS})? stop\\b`,
  ],
  'No texting': '^no (?:texting|messaging)$',
  'How do I get off this list?': [
    `\\b(?:get|be|want|like)(?: \\w+){0,3} off (?:of )?(?:here|${DETERMINERS}${LIST})\\b(?! `,
    `for\\b)`,
  ],
  "Remove my mom's number from these texts": [
    `\\b(?:remove|delete|take|drop) (?:\\w+ ){1,3}(?:from|`,
    `off|out of) ${DETERMINERS}${TEXTS}\\b`,
  ],
  'Delete me from your system': [
    `\\b(?:remove|delete|take) (?:me|us) (?:from|out of) `,
    `${DETERMINERS}${ADDRESS_BOOK}\\b`,
  ],
  'I opted out already': '\\b(?:opted out|unsubscribed)\\b(?! (?:of|from)\\b)',
  'Remove me': '^(?:remove|delete) (?:me|us|it|this)$',
  'Take me off': `\\btake (?:me|us) off$|\\btake ${MY_NUMBER} off\\b`,
  'Please remove':
    '^(?:remove|delete|exit)$|\\bremove from (?:the |your |this )?list\\b(?! for\\b)',
  'I want to be removed': '\\b(?:want|like|wish|need|ask|asked) to be removed$',
  'I never signed up for this': [
    `\\bnever (?:signed|sign|asked) (?:up )?(?:for|to) (?:get `,
    `|receive )?${TEXTS_OR_PRONOUN}\\b`,
  ],
  'I did not agree to texts': [
    `\\b(?:did not|didnt|never|do not|dont) (?:agree|agreed|subscribe|subscribed|sign up) `,
    `(?:to|for) (?:get |receive )?${TEXTS_OR_PRONOUN}\\b`,
  ],
  'I do not consent':
    '\\b(?:did not|didnt|never|do not|dont) (?:consent|consented|give consent)\\b',
  'No consent': '^no consent$',
  'Unsolicited messages': `\\b(?:unwanted|unsolicited|spam|junk) ${TEXTS}\\b`,
  'Who gave you my number?': [
    '\\b(?:who gave you|how did you get|where did you get|never gave you|did not give you|',
    'didnt give you) (?:my|this|our) (?:number|phone|cell|info\\w*)\\b',
  ],
  'You have no permission to text me': [
    `\\b(?:no|not|never|dont|do not|didnt|without)(?: \\w+){0,3} permission `,
    `to (?:${TEXT_VERB}|send|use my)\\b`,
  ],
  'Why am I getting these?': [
    `\\b(?:still|why (?:am|are) (?:i|we)|why do (?:i|we)) (?:still )?(?:keep )?(?:getting|`,
    `receiving|get|receive) (?:(?:\\w+ ){0,2}${TEXTS}|these|those|this$)`,
  ],
  'I am reporting this as spam': [
    '\\breport(?:ing|ed)? (?:you|(?:this|these|your \\w+)(?: \\w+){0,2} (?:as|for|to (?:the ',
    ')?(?:fcc|ftc|police|carrier|authorities)))\\b',
  ],
  'I will sue you for harassment':
    '\\b(?:sue you|suing you|harassing (?:me|us)|(?:this is|its|thats|for|text) harassment)\\b',
  'If you text me again': [
    `\\bif (?:you|i) (?:ever )?(?:${TEXT_VERB}|get|receive|send)(?: me| us)? (?:again|anymore|`,
    `any more|(?:another|one more) (?:one|${TEXTS}))\\b`,
  ],
  'You keep sending me these messages': [
    `\\b(?:i|we|they|still|(?:you|u)(?: people| guys| all)?) keep (?:on )?(?:(?:getting|`,
    `receiving) (?:\\w+ ){0,2}(?:${TEXTS}|these|those|them|this)\\b|(?:texting|messaging|`,
    `spamming|contacting|bothering|harassing) (?:me|us|my|this)\\b|sending (?:me|us|these|`,
    `this)\\b)`,
  ],
  'Too many texts': [
    `\\b(?:too many|enough(?: with)?(?: of)?|(?:done with|sick of|tired of|fed up with)(?: `,
    `getting| receiving)?)(?: (?:all|of|the|these|your|with|so many))* ${TEXTS}\\b`,
  ],
  Enough: '^(?:enough|spam|this is spam|do not disturb|dnd)$',
  'I am blocking you': [
    '(?:^|\\b(?:i|ive|im|am|we|weve|have|will|ill|be|gonna|going to) )(?:block|blocked|',
    'blocking) (?:you|u|this number|your (?:number|texts|messages))\\b',
  ],
  'Go away': [
    '^(?:go away|get lost|knock it off|cut it out|reported|blocked|(?:reported|blocked) and ',
    '(?:reported|blocked)|reported as spam|fuck off|f off|fuck you|fuck u|off|piss off|buzz off|',
    'back off)$',
  ],
  'I want this to stop': [
    '\\b(?:want|like|need|make|wish) (?:this|these|them|you|all (?:of )?this|it all) to ',
    '(?:stop|end)\\b(?! (?:at|by|before|in|on)\\b)',
  ],
  'I asked you to stop': [
    '\\b(?:asked|told|begged|asking|telling) (?:you|u|yall)(?: \\w+){0,3} to stop\\b|\\byou ',
    '(?:were|have been) (?:asked|told) to stop\\b|\\bsay stop$',
  ],
  "STOP isn't working": [
    '\\b(?:stop|unsubscribe|opt out|opting out) (?:is not|isnt|does not|doesnt|did not|didnt|',
    'not) work\\w*',
  ],
  'I am on the do not call list':
    '\\b(?:do not call|dnc) (?:list|registry)\\b|\\b(?:tcpa|fcc|ftc)\\b',
  'Why are you messaging me?': [
    `\\bwhy (?:are|r) (?:you|u)(?: \\w+)? `,
    `${TEXTING} (?:me|us|my|this)\\b`,
  ],
  'Opt Leo out': '\\bopt \\w+ out\\b(?! of\\b)',
  "Please don't text so late": [
    `(?<!\\b(?:i|we|they|he|she|to) )\\b${DO_NOT} (?:text|txt)(?:$| (?:(?:so|this|too|that) `,
    `)?(?:late|early|here)\\b)`,
  ],
  'Can you not text me so early?': [
    `\\b(?:can|could|would|will) (?:you|u) `,
    `not (?:${TEXT_VERB}|send)\\b`,
  ],
  'Any way to not get these texts?': [
    `\\b(?:to|rather|and) not (?:be )?(?:get|getting|receive|receiving|sent) (?:any )?(?:more `,
    `)?(?:of )?(?:these|your|those|the)?(?: \\w+)? ?${TEXTS}\\b`,
  ],
  "Don't use this number": `\\b${NEGATION} use (?:this|my|our) (?:number|phone|cell)\\b`,
  "I don't want your updates": [
    '\\b(?:do not|dont|no longer) (?:want|need|wish)(?: to (?:get|receive))? (?:(?:any|more|',
    'your|these) )*(?:updates|notices|blasts|newsletters?)\\b',
  ],
  "We left, so don't text me": [
    `\\b${NEGATION} (?:(?:call|email) (?:or|and) )?${TEXT_VERB}(?: (?:or|and) (?:call|`,
    `email|${TEXT_VERB}))? ${RECIPIENT}\\b(?! (?:the|a|an|my|your|his|her|their|that|back|`,
    `pictures?|photos?|while)\\b)`,
  ],
  "Don't text me the fees anymore": [
    `\\b${NEGATION} (?:${TEXT_VERB}|send)(?: `,
    `\\w+){0,6} ${ANYMORE}$`,
  ],
  "Don't bother me anymore": [
    `\\b${NEGATION} (?:bother|disturb|bug|harass|spam|annoy|pester|texting|messaging|`,
    `contacting) (?:me|us)\\b`,
  ],
  "We don't do texts": `\\b(?:do not|dont) (?:do|use|read|take|accept) ${TEXTS}\\b`,
  "I don't want any of these":
    '\\b(?:do not|dont|no longer) (?:want|need) (?:any )?(?:more )?(?:of )?(?:these|those)$',
  "I don't want to hear from you again":
    '\\b(?:not|dont|never|no longer)(?: \\w+){0,3} hear from (?:you|u|yall|this)\\b',
  "Don't text grandma": `\\b${NEGATION} (?:text|txt|sms) ${FAMILY_MEMBER}$`,
  'Stop texting grandma': [
    `\\b${STOP_VERB} (?:texting|txting|messaging|calling|`,
    `emailing|writing)\\b(?! and driv)`,
  ],
  'No need to text me anymore': [
    `\\b(?:no (?:longer )?need (?:to|for you to)|(?:you|u) (?:do not|dont) (?:have|need) to|`,
    `(?:you|u) no longer (?:have|need) to) (?:keep )?(?:${TEXT_VERB}|texting|messaging|`,
    `contacting|`,
    `send|sending)(?: (?:me|us)$|(?: \\w+){0,5} ${ANYMORE}\\b)`,
  ],
  'No need for these texts': `\\bno (?:longer )?need (?:for )?${DETERMINERS}${TEXTS}$`,
  'Would you mind not texting me?': [
    `\\b(?:mind|prefer|appreciate|rather|ask|request|want|like)(?: \\w+){0,4} not (?:to `,
    ')?(?:be )?(?:text|txt|texting|txting|texted|message|messaging|contact|contacting|contacted|',
    `send|sending)\\b`,
  ],
  "Please don't send me any more of these": [
    `\\b${NEGATION} send(?: ${RECIPIENT})?(?: any more| anymore| any)?(?: of)? (?:these|those|`,
    `this|anything|more)(?: ${ANYMORE}| stuff| crap| kind of \\w+| to ${RECIPIENT})?$`,
  ],
  'I no longer wish to receive these': [
    `\\b(?:no longer|do not|dont) (?:want|wish|need|care|like|would like)(?: to)?(?: be)? `,
    `(?:(?:receive|receiving) (?:\\w+ ){0,3}(?:these|those|this|them|anything)\\b|(?:get|getting|`,
    `sent) (?:any )?(?:more )?(?:of )?(?:these|those|this)(?: ${ANYMORE})?$)`,
  ],
  "I don't want you to text me": [
    `\\b(?:no longer|do not|dont|never) (?:want|wish|like|need)(?: (?:you|u) to| to be| to `,
    `get)? (?:${TEXT_VERB}|texted|contacted|messaged|bothered)(?: (?:me|us)\\b|$)`,
  ],
  'Take Leo off the texting list': [
    `\\b(?:remove|take|drop) \\w+(?: \\w+)? (?:off|from) ${DETERMINERS}(?:text|texting|sms|`,
    `message|messaging) lists?\\b`,
  ],
  "This is not Ann's number anymore": [
    '\\b(?:(?:this|it|that) is(?: not| no longer)|(?:this|it|that) isnt|not|no longer) (?!the |',
    'a |an )(?:\\w+ ){1,2}(?:number|phone|cell)(?: (?:anymore|any more|any longer|remove|delete|',
    'stop|do|dont)\\b|$)',
  ],
  'Ann no longer has this number': [
    '\\b(?:no longer has|no longer uses|does not have|doesnt have|does not use|doesnt use) ',
    'this (?:number|phone)\\b',
  ],
  'This number belongs to someone else':
    '\\b(?:number|phone) (?:now )?(?:belongs to|is) (?:someone|somebody|another|a different)\\b',
  'You got the wrong guy':
    '\\bwrong (?:guy|man|woman|lady|girl|dude|family|contact|mom|dad)\\b|\\bwho dis\\b',
  "I don't know who Leo is": [
    '\\b(?:do not|dont) (?:know (?:who (?!the |that |it |this )\\w+ is$|(?:anyone|anybody|any|',
    'a) (?:named |called )?\\w+)|have (?:any )?(?:kids|children|a kid|a child|a son|a ',
    'daughter))\\b',
  ],
  "I am not Leo's mom": '\\bnot \\w+s (?:mom|mother|mum|dad|father|parent|wife|husband)\\b',
  "Use my husband's number instead": [
    `\\b(?:use|text|message|contact) (?:the|my|his|her) `,
    `(?:other|\\w+s) (?:number|phone|cell)\\b`,
  ],
  'Please text my husband instead of me': [
    `\\b(?:text|txt|message|contact|send|use|call|email)(?: \\w+){1,5} (?:instead of|rather `,
    `than|not) (?:me|us|here|this number|my (?:number|phone|cell))\\b`,
  ],
  'Text his dad instead': [
    `\\b(?<!\\b(?:i|ill|i will|we) )(?:text|txt|message|contact) ${FAMILY_MEMBER} instead\\b|`,
    `\\bsend ${DETERMINERS}${TEXTS} to ${FAMILY_MEMBER}(?: \\w+)? (?:only|instead)$`,
  ],
  'Please only text my wife': [
    `(?<!\\b(?:i|we) )(?:\\bonly (?:text|txt|message|contact) ${FAMILY_MEMBER}|\\b(?:text|txt|`,
    `message|contact) only ${FAMILY_MEMBER})`,
  ],
  "We'd rather get emails than texts": [
    `\\b(?:rather|prefer|like|use|by|get|send|switch|email|emails|mail)\\b(?: \\w+){0,6} `,
    '(?:than|instead of|rather than|over|not|no) (?:by |via |get |getting |to )?(?:texts?|',
    `texting|text messages|sms|messages)$`,
  ],
  "I'd rather you emailed me": [
    '\\brather (?:you|u) (?:email|emailed|call|called|mail|mailed)\\b|',
    '\\bemail (?:me |us )?instead$',
  ],
  'Email only': '^(?:emails? only|only emails?|email me only|only email me)$',
  'Ya les dije que paren': [
    '\\bque paren\\b|^(?:paren|detengan|arretez)\\b|\\b(?:quiten|quite|borren|elimin\\w+)(?:me|',
    'nos)\\b|\\bno (?:me |nos )?molest\\w+|\\bno (?:me |nos )?(?:manden?|envien?) mas\\b|\\bpara ',
    'parar\\b',
  ],
})

/** Unclear messages that `CONTRARY_REQUEST` would remove, so they are matched first. */
export const COMPLAINTS = createRules({
  "You won't stop texting me": [
    `\\b(?:(?:you|u|they)(?: just| guys)? (?:wont|will not|never|dont|do not|didnt|did not|`,
    `cant)|(?:wont|cant|why dont) (?:you|u)) (?:ever )?stop (?:${TEXTING}|it|this)\\b`,
  ],
})
