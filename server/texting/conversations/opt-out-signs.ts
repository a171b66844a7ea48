import { OPENING } from './opt-out-requests.ts'
import {
  AGAIN,
  DETERMINERS,
  DO_NOT,
  LIKE_TEXTS,
  LIST,
  MY_NUMBER,
  NOT,
  RECIPIENT,
  STORE,
  TEXTING,
  TEXTS,
  TO_STOP,
  TO_TEXT,
  type Rule,
} from './opt-out-vocabulary.ts'

/** What "stop" is about where it is not about texts. */
const OTHER_THINGS =
  '(?:by|in|at|over|sign|signs|watch|drop|here|there|class|classes|lesson|lessons|karate|judo|training|practice|membership|payment|payments|billing|autopay|charge|charges|subscription|program|session|sessions|trial|him|her|light|bus|work|\\w+ing(?<!texting|txting|messaging|sending|calling|emailing|contacting|spamming|bothering|everything|anything|writing))'
const WRONG_NUMBER =
  '\\bwrong (?:number|nmber|numbr|numer|nuber|num|person|phone)\\b(?! (?:of|on|case)\\b)'
const FAMILY =
  '(?:(?:my|his|her|their|our|leos?) (?:\\w+ )?\\w+|dad|mom|mum|mama|papa|grandma|grandpa|him|her)'

/** Each may mean that somebody wants no more texts, wherever it stands in a sentence. */
export const UNCLEAR_SIGNS: readonly Rule[] = [
  { example: 'Wrong nmber', pattern: WRONG_NUMBER },
  {
    example: 'Se equivocó de número',
    pattern: '\\b(?:numero equivocado|equivoc\\w+ de numero)\\b',
  },
  // These may answer a question.
  {
    example: 'No texts',
    pattern: `^no (?:more|mas|${TEXTS})$|^no more (?:\\w+ )?(?:of (?:this|these|it|those)|updates?|emails?|info|news)$`,
  },
  {
    example: 'Stop me',
    pattern: `^stop(?! the | ${OTHER_THINGS}\\b)(?: (?!${OTHER_THINGS}\\b)\\w+){1,3}$`,
  },
  {
    example: 'Leo quit, stop his fee reminders',
    pattern: `\\b(?:stop|quit|cease|discontinue) (?!${OTHER_THINGS}\\b)${DETERMINERS}(?:\\w+ ){0,2}(?:texts|messages|msgs|reminders|notifications|alerts|sms|spam|updates|notices|blasts|newsletters?)\\b`,
  },
  {
    example: 'I blocked you, stop it',
    pattern: `(?<!\\b(?:to|can|cant|could|couldnt|not|and|or|i|we|ill|well|will) )\\bstop (?:all )?(?:of )?(?:it|this|that|these|those|them|everything|all)$`,
  },
  {
    example: 'How do I stop getting texts?',
    pattern: `\\bstop (?:getting|receiving) (?:${DETERMINERS}${TEXTS}|these|those|this)\\b`,
  },
  {
    example: 'I texted STOP and still get these',
    pattern: '\\b(?:texted|replied|sent|said|wrote|typed|answered|responded)(?: with)? stop\\b',
  },
  {
    example: 'We moved, could you stop?',
    pattern: `^${OPENING} stop$|\\b(?:can|could|will|would) (?:you|u) stop$`,
  },
  { example: 'I want to stop', pattern: '^(?:i|we) (?:want|would like|need|wish) to stop$' },
  {
    example: 'Cancel all',
    pattern:
      '^(?:cancel|end|quit|mute|silence|terminate)(?: (?:all|it|it all|this|that|these|everything))$|^terminate$',
  },
  {
    example: 'Could you please discontinue these?',
    pattern:
      '\\b(?:discontinue|cease|halt) (?:(?:all|any|of) )*(?:this|these|those|them|it|all)\\b',
  },
  { example: 'Cease and desist', pattern: '\\bcease and desist\\b' },
  {
    example: 'Stop, I beg you',
    pattern:
      '^stop (?:i|im|ive|we|weve|you|u|this is|stop|and|or)\\b(?! (?:go|shop|think|smell)\\b)',
  },
  {
    example: 'These texts need to stop',
    pattern: `\\b(?:${TEXTS}|this|these|it all) (?:need|needs|have|has|must|should)(?: to)? (?:stop|end)$|\\bmake (?:it|this|these|them)(?: ${TEXTS})? stop\\b`,
  },
  { example: 'No texting', pattern: '^no (?:texting|messaging)$' },
  {
    example: 'How do I get off this list?',
    pattern: `\\b(?:get|be|want|like)(?: \\w+){0,3} off (?:of )?(?:here|${DETERMINERS}${LIST})\\b(?! for\\b)`,
  },
  {
    example: "Remove my mom's number from these texts",
    pattern: `\\b(?:remove|delete|take|drop) (?:\\w+ ){1,3}(?:from|off|out of) ${DETERMINERS}${TEXTS}\\b`,
  },
  {
    example: 'Delete me from your system',
    pattern: `\\b(?:remove|delete|take) (?:me|us) (?:from|out of) ${DETERMINERS}${STORE}\\b`,
  },
  {
    example: 'I opted out already',
    pattern: '\\b(?:opted out|unsubscribed)\\b(?! (?:of|from)\\b)',
  },
  { example: 'Remove me', pattern: '^(?:remove|delete) (?:me|us|it|this)$' },
  {
    example: 'Take me off',
    pattern: `\\btake (?:me|us) off$|\\btake ${MY_NUMBER} off\\b`,
  },
  {
    example: 'Please remove',
    pattern: '^(?:remove|delete|exit)$|\\bremove from (?:the |your |this )?list\\b(?! for\\b)',
  },
  {
    example: 'I want to be removed',
    pattern: '\\b(?:want|like|wish|need|ask|asked) to be removed$',
  },
  // Did not ask for it.
  {
    example: 'I never signed up for this',
    pattern: `\\bnever (?:signed|sign|asked) (?:up )?(?:for|to) (?:get |receive )?${LIKE_TEXTS}\\b`,
  },
  {
    example: 'I did not agree to texts',
    pattern: `\\b(?:did not|didnt|never|do not|dont) (?:agree|agreed|subscribe|subscribed|sign up) (?:to|for) (?:get |receive )?${LIKE_TEXTS}\\b`,
  },
  {
    example: 'I do not consent',
    pattern: '\\b(?:did not|didnt|never|do not|dont) (?:consent|consented|give consent)\\b',
  },
  { example: 'No consent', pattern: '^no consent$' },
  {
    example: 'Unsolicited messages',
    pattern: `\\b(?:unwanted|unsolicited|spam|junk) ${TEXTS}\\b`,
  },
  {
    example: 'Who gave you my number?',
    pattern:
      '\\b(?:who gave you|how did you get|where did you get|never gave you|did not give you|didnt give you) (?:my|this|our) (?:number|phone|cell|info\\w*)\\b',
  },
  {
    example: 'You have no permission to text me',
    pattern: `\\b(?:no|not|never|dont|do not|didnt|without)(?: \\w+){0,3} permission to (?:${TO_TEXT}|send|use my)\\b`,
  },
  {
    example: 'Why am I getting these?',
    pattern: `\\b(?:still|why (?:am|are) (?:i|we)|why do (?:i|we)) (?:still )?(?:keep )?(?:getting|receiving|get|receive) (?:(?:\\w+ ){0,2}${TEXTS}|these|those|this$)`,
  },
  // Had enough of it.
  {
    example: 'I am reporting this as spam',
    pattern:
      '\\breport(?:ing|ed)? (?:you|(?:this|these|your \\w+)(?: \\w+){0,2} (?:as|for|to (?:the )?(?:fcc|ftc|police|carrier|authorities)))\\b',
  },
  {
    example: 'I will sue you for harassment',
    pattern:
      '\\b(?:sue you|suing you|harassing (?:me|us)|(?:this is|its|thats|for|text) harassment)\\b',
  },
  {
    example: 'If you text me again',
    pattern: `\\bif (?:you|i) (?:ever )?(?:${TO_TEXT}|get|receive|send)(?: me| us)? (?:again|anymore|any more|(?:another|one more) (?:one|${TEXTS}))\\b`,
  },
  {
    example: 'You keep sending me these messages',
    pattern: `\\b(?:i|we|they|still|(?:you|u)(?: people| guys| all)?) keep (?:on )?(?:(?:getting|receiving) (?:\\w+ ){0,2}(?:${TEXTS}|these|those|them|this)\\b|(?:texting|messaging|spamming|contacting|bothering|harassing) (?:me|us|my|this)\\b|sending (?:me|us|these|this)\\b)`,
  },
  {
    example: 'Too many texts',
    pattern: `\\b(?:too many|enough(?: with)?(?: of)?|(?:done with|sick of|tired of|fed up with)(?: getting| receiving)?)(?: (?:all|of|the|these|your|with|so many))* ${TEXTS}\\b`,
  },
  { example: 'Enough', pattern: '^(?:enough|spam|this is spam|do not disturb|dnd)$' },
  {
    example: 'I am blocking you',
    pattern:
      '(?:^|\\b(?:i|ive|im|am|we|weve|have|will|ill|be|gonna|going to) )(?:block|blocked|blocking) (?:you|u|this number|your (?:number|texts|messages))\\b',
  },
  {
    example: 'Go away',
    pattern:
      '^(?:go away|get lost|knock it off|cut it out|reported|blocked|(?:reported|blocked) and (?:reported|blocked)|reported as spam|fuck off|f off|fuck you|fuck u|off|piss off|buzz off|back off)$',
  },
  {
    example: 'I want this to stop',
    pattern:
      '\\b(?:want|like|need|make|wish) (?:this|these|them|you|all (?:of )?this|it all) to (?:stop|end)\\b(?! (?:at|by|before|in|on)\\b)',
  },
  {
    example: 'I asked you to stop',
    pattern:
      '\\b(?:asked|told|begged|asking|telling) (?:you|u|yall)(?: \\w+){0,3} to stop\\b|\\byou (?:were|have been) (?:asked|told) to stop\\b|\\bsay stop$',
  },
  {
    example: "STOP isn't working",
    pattern:
      '\\b(?:stop|unsubscribe|opt out|opting out) (?:is not|isnt|does not|doesnt|did not|didnt|not) work\\w*',
  },
  {
    example: 'I am on the do not call list',
    pattern: '\\b(?:do not call|dnc) (?:list|registry)\\b|\\b(?:tcpa|fcc|ftc)\\b',
  },
  {
    example: 'Why are you messaging me?',
    pattern: `\\bwhy (?:are|r) (?:you|u)(?: \\w+)? ${TEXTING} (?:me|us|my|this)\\b`,
  },
  { example: 'Opt Leo out', pattern: '\\bopt \\w+ out\\b(?! of\\b)' },
  // Asks not to be texted.
  {
    example: "Please don't text so late",
    pattern: `(?<!\\b(?:i|we|they|he|she|to) )\\b${DO_NOT} (?:text|txt)(?:$| (?:(?:so|this|too|that) )?(?:late|early|here)\\b)`,
  },
  {
    example: 'Can you not text me so early?',
    pattern: `\\b(?:can|could|would|will) (?:you|u) not (?:${TO_TEXT}|send)\\b`,
  },
  {
    example: 'Any way to not get these texts?',
    pattern: `\\b(?:to|rather|and) not (?:be )?(?:get|getting|receive|receiving|sent) (?:any )?(?:more )?(?:of )?(?:these|your|those|the)?(?: \\w+)? ?${TEXTS}\\b`,
  },
  {
    example: "Don't use this number",
    pattern: `\\b${NOT} use (?:this|my|our) (?:number|phone|cell)\\b`,
  },
  {
    example: "I don't want your updates",
    pattern:
      '\\b(?:do not|dont|no longer) (?:want|need|wish)(?: to (?:get|receive))? (?:(?:any|more|your|these) )*(?:updates|notices|blasts|newsletters?)\\b',
  },
  {
    example: "We left, so don't text me",
    pattern: `\\b${NOT} (?:(?:call|email) (?:or|and) )?${TO_TEXT}(?: (?:or|and) (?:call|email|${TO_TEXT}))? ${RECIPIENT}\\b(?! (?:the|a|an|my|your|his|her|their|that|back|pictures?|photos?|while)\\b)`,
  },
  {
    example: "Don't text me the fees anymore",
    pattern: `\\b${NOT} (?:${TO_TEXT}|send)(?: \\w+){0,6} ${AGAIN}$`,
  },
  {
    example: "Don't bother me anymore",
    pattern: `\\b${NOT} (?:bother|disturb|bug|harass|spam|annoy|pester|texting|messaging|contacting) (?:me|us)\\b`,
  },
  {
    example: "We don't do texts",
    pattern: `\\b(?:do not|dont) (?:do|use|read|take|accept) ${TEXTS}\\b`,
  },
  {
    example: "I don't want any of these",
    pattern:
      '\\b(?:do not|dont|no longer) (?:want|need) (?:any )?(?:more )?(?:of )?(?:these|those)$',
  },
  {
    example: "I don't want to hear from you again",
    pattern: '\\b(?:not|dont|never|no longer)(?: \\w+){0,3} hear from (?:you|u|yall|this)\\b',
  },
  {
    example: "Don't text grandma",
    pattern: `\\b${NOT} (?:text|txt|sms) ${FAMILY}$`,
  },
  {
    example: 'Stop texting grandma',
    pattern: `\\b${TO_STOP} (?:texting|txting|messaging|calling|emailing|writing)\\b(?! and driv)`,
  },
  {
    example: 'No need to text me anymore',
    pattern: `\\b(?:no (?:longer )?need (?:to|for you to)|(?:you|u) (?:do not|dont) (?:have|need) to|(?:you|u) no longer (?:have|need) to) (?:keep )?(?:${TO_TEXT}|texting|messaging|contacting|send|sending)(?: (?:me|us)$|(?: \\w+){0,5} ${AGAIN}\\b)`,
  },
  {
    example: 'No need for these texts',
    pattern: `\\bno (?:longer )?need (?:for )?${DETERMINERS}${TEXTS}$`,
  },
  {
    example: 'Would you mind not texting me?',
    pattern: `\\b(?:mind|prefer|appreciate|rather|ask|request|want|like)(?: \\w+){0,4} not (?:to )?(?:be )?(?:text|txt|texting|txting|texted|message|messaging|contact|contacting|contacted|send|sending)\\b`,
  },
  {
    example: "Please don't send me any more of these",
    pattern: `\\b${NOT} send(?: ${RECIPIENT})?(?: any more| anymore| any)?(?: of)? (?:these|those|this|anything|more)(?: ${AGAIN}| stuff| crap| kind of \\w+| to ${RECIPIENT})?$`,
  },
  {
    example: 'I no longer wish to receive these',
    pattern: `\\b(?:no longer|do not|dont) (?:want|wish|need|care|like|would like)(?: to)?(?: be)? (?:(?:receive|receiving) (?:\\w+ ){0,3}(?:these|those|this|them|anything)\\b|(?:get|getting|sent) (?:any )?(?:more )?(?:of )?(?:these|those|this)(?: ${AGAIN})?$)`,
  },
  {
    example: "I don't want you to text me",
    pattern: `\\b(?:no longer|do not|dont|never) (?:want|wish|like|need)(?: (?:you|u) to| to be| to get)? (?:${TO_TEXT}|texted|contacted|messaged|bothered)(?: (?:me|us)\\b|$)`,
  },
  {
    example: 'Take Leo off the texting list',
    pattern: `\\b(?:remove|take|drop) \\w+(?: \\w+)? (?:off|from) ${DETERMINERS}(?:text|texting|sms|message|messaging) lists?\\b`,
  },
  // Not their number, or the wrong way to reach them.
  {
    example: "This is not Ann's number anymore",
    pattern:
      '\\b(?:(?:this|it|that) is(?: not| no longer)|(?:this|it|that) isnt|not|no longer) (?!the |a |an )(?:\\w+ ){1,2}(?:number|phone|cell)(?: (?:anymore|any more|any longer|remove|delete|stop|do|dont)\\b|$)',
  },
  {
    example: 'Ann no longer has this number',
    pattern:
      '\\b(?:no longer has|no longer uses|does not have|doesnt have|does not use|doesnt use) this (?:number|phone)\\b',
  },
  {
    example: 'This number belongs to someone else',
    pattern:
      '\\b(?:number|phone) (?:now )?(?:belongs to|is) (?:someone|somebody|another|a different)\\b',
  },
  {
    example: 'You got the wrong guy',
    pattern: '\\bwrong (?:guy|man|woman|lady|girl|dude|family|contact|mom|dad)\\b|\\bwho dis\\b',
  },
  {
    example: "I don't know who Leo is",
    pattern:
      '\\b(?:do not|dont) (?:know (?:who (?!the |that |it |this )\\w+ is$|(?:anyone|anybody|any|a) (?:named |called )?\\w+)|have (?:any )?(?:kids|children|a kid|a child|a son|a daughter))\\b',
  },
  {
    example: "I am not Leo's mom",
    pattern: '\\bnot \\w+s (?:mom|mother|mum|dad|father|parent|wife|husband)\\b',
  },
  {
    example: "Use my husband's number instead",
    pattern: `\\b(?:use|text|message|contact) (?:the|my|his|her) (?:other|\\w+s) (?:number|phone|cell)\\b`,
  },
  {
    example: 'Please text my husband instead of me',
    pattern: `\\b(?:text|txt|message|contact|send|use|call|email)(?: \\w+){1,5} (?:instead of|rather than|not) (?:me|us|here|this number|my (?:number|phone|cell))\\b`,
  },
  {
    example: 'Text his dad instead',
    pattern: `\\b(?<!\\b(?:i|ill|i will|we) )(?:text|txt|message|contact) ${FAMILY} instead\\b|\\bsend ${DETERMINERS}${TEXTS} to ${FAMILY}(?: \\w+)? (?:only|instead)$`,
  },
  {
    example: 'Please only text my wife',
    pattern: `(?<!\\b(?:i|we) )(?:\\bonly (?:text|txt|message|contact) ${FAMILY}|\\b(?:text|txt|message|contact) only ${FAMILY})`,
  },
  {
    example: "We'd rather get emails than texts",
    pattern: `\\b(?:rather|prefer|like|use|by|get|send|switch|email|emails|mail)\\b(?: \\w+){0,6} (?:than|instead of|rather than|over|not|no) (?:by |via |get |getting |to )?(?:texts?|texting|text messages|sms|messages)$`,
  },
  {
    example: "I'd rather you emailed me",
    pattern:
      '\\brather (?:you|u) (?:email|emailed|call|called|mail|mailed)\\b|\\bemail (?:me |us )?instead$',
  },
  { example: 'Email only', pattern: '^(?:emails? only|only emails?|email me only|only email me)$' },
  // Other languages.
  {
    example: 'Ya les dije que paren',
    pattern:
      '\\bque paren\\b|^(?:paren|detengan|arretez)\\b|\\b(?:quiten|quite|borren|elimin\\w+)(?:me|nos)\\b|\\bno (?:me |nos )?molest\\w+|\\bno (?:me |nos )?(?:manden?|envien?) mas\\b|\\bpara parar\\b',
  },
]

/** As unclear, although words before "stop" would turn another request into its contrary. */
export const COMPLAINTS: readonly Rule[] = [
  {
    example: "You won't stop texting me",
    pattern: `\\b(?:(?:you|u|they)(?: just| guys)? (?:wont|will not|never|dont|do not|didnt|did not|cant)|(?:wont|cant|why dont) (?:you|u)) (?:ever )?stop (?:${TEXTING}|it|this)\\b`,
  },
]
