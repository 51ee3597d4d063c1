"""The phrase bank: what people at work write to each other. ``{slots}`` are filled by ``Voice.say``."""

import random
from collections.abc import Mapping

from .people import Person

BANK: dict[str, tuple[str, ...]] = {
    "hello": (
        "Hi {first},",
        "Hello {first},",
        "Dear {first},",
        "Good morning {first},",
        "Hi {first}!",
        "{first},",
    ),
    "opener": (
        "Hope your week is going well.",
        "Thanks again for your time the other day.",
        "A quick one from my side.",
        "I hope you had a good start to {this}.",
        "Following up on our last conversation.",
        "I was going through my list and saw that this is still open.",
        "I hope this reaches you well.",
        "One thing off my list today.",
    ),
    "opener_back": (
        "Sorry for the late answer, it has been a busy few days here.",
        "Thanks for getting back to me so quickly.",
        "Good to hear from you.",
        "Thank you for your message.",
        "Just picking this up again.",
        "As promised, here is where we stand.",
        "I have asked around here.",
    ),
    "bye": ("Best,", "Kind regards,", "Thanks,", "Best regards,", "Many thanks,", "Cheers,", "Warm regards,"),
    "close": (
        "Let me know what you think.",
        "Shout if anything is unclear.",
        "Happy to jump on a call if that is easier.",
        "No rush, any time this week is fine.",
        "Looking forward to your answer.",
        "I am around until {day} if you want to talk it through.",
        "Please tell me if I have missed somebody who should know.",
        "That is all from me for now.",
    ),
    "meet": (
        "Could we find half an hour to go through the {module} set-up? {day} after lunch would work for me.",
        "Would {day} or the day after suit you for our regular catch-up?",
        "We would like to show the {module} plans to two more people. Is {day} morning possible?",
        "Could you give the {place} team a short introduction to {product}? They start using it in {month}.",
        "I would like to plan our review for {month}. Which mornings are bad for you?",
        "Can we move our call? I am travelling to {place} on {day}.",
    ),
    "meet_yes": (
        "{day} is fine. I will send an invitation for {hour}:30.",
        "That works. Shall we say {hour}:00?",
        "I can do {day} at {hour}:00, if forty minutes is enough.",
        "{day} is full, I am afraid, but the day after is wide open.",
        "Good idea. I will bring the figures from {past}.",
    ),
    "support": (
        "Since {day} the {module} screen takes nearly a minute to open for our people in {place}.",
        "Two of our planners can no longer export the {module} list. They get an empty file.",
        "The nightly import from our ERP stopped at {n} rows. Nothing changed on our side.",
        "Is there a way to hide closed orders in the {module} view? They get in the way.",
        "A colleague in {place} was locked out after changing her phone. Could you reset her second factor?",
        "The totals in the {module} report differ from the ones on the dashboard by {n}.",
        "We would like a test environment before we switch the {place} depot over.",
        "The reminder mails arrive twice for everyone in the {module} group.",
    ),
    "support_ask": (
        "Could you send me the time at which it last happened and a screenshot?",
        "Is it the same in a private browser window?",
        "Does this hit everybody in {place}, or only some?",
        "Which version of the import file do you use? It is in the first line.",
    ),
    "support_more": (
        "It was at {hour}:20 on {day}, and the screenshot is on our shared drive.",
        "Yes, the same in a private window. Colleagues in {place} see it as well.",
        "Only some of us, as far as I can tell: those who also use {module}.",
        "Version 7, downloaded in {past}. I have not changed anything in it.",
        "I asked around: {n} people have it, all of them in {place}.",
    ),
    "support_done": (
        "Found it: a filter from the {past} update was left on. We have taken it off for you.",
        "This should be fixed since {hour}:15. Could you try once more?",
        "I have reset it and asked {colleague} to keep an eye on it until {day}.",
        "That is on our list for {month}; until then the export under Settings does what you need.",
        "It was an index that had to be rebuilt. Sorry for the trouble.",
    ),
    "thanks": (
        "Works again, thank you!",
        "Perfect, that solves it.",
        "Thanks, I will pass it on to the team in {place}.",
        "Great, much appreciated.",
        "Good, then we can close this.",
    ),
    "agreed": (
        "Perfect, thank you.",
        "Great, that works for us.",
        "Noted, thanks!",
        "Good, see you then.",
        "Fine. I have told the others here.",
    ),
    "price_ask": (
        "Could you send us a price for {n} more seats from {month}?",
        "What would it cost to add the {module} module for everybody?",
        "We have to hand in our budget on {day}. What should I reckon with for {product} next year?",
        "Management wants to compare. Could you put your best offer for {n} seats on one page?",
    ),
    "price_give": (
        "{n} seats come to {currency} {amount} a year, without {tax}. The offer holds to the end of {month}.",
        "I can do {currency} {amount} for twelve months and {n} seats, {tax} on top.",
        "With {n} seats you would be at {currency} {amount} a year. Set-up is included.",
        "The {module} module adds {currency} {amount} a year for your {n} seats.",
    ),
    "price_back": (
        "That is more than we had in mind. Is there any room if we sign before {month}?",
        "Thanks. I have passed it on to our management, they meet on {day}.",
        "Fine with me. I need an order number from purchasing first.",
        "We will come back to this in {month}, other things come first right now.",
        "Could you split it by site? {place} pays for itself.",
    ),
    "price_again": (
        "I have talked it over here: {currency} {less} a year for {n} seats, if we agree before {month}.",
        "Then let us say {currency} {less} for the first year. That replaces my earlier figure.",
        "Good news, I may go down to {currency} {less} for the {n} seats. {tax} comes on top.",
    ),
    "price_close": (
        "Understood. I will keep the offer open and write again in {month}.",
        "I will see what I can do and be back by {day}.",
        "Of course, you will have the split tomorrow.",
        "Good, I will have the paperwork made ready.",
    ),
    "invoice": (
        "Our accounts people cannot match invoice {number}. Which order does it belong to?",
        "Could you put our order number {number} on the invoice and send it again?",
        "We seem to have received invoice {number} twice. Should we pay both?",
        "Please send invoices to the shared address of our accounts department from {month} on.",
        "Invoice {number} has the old address in {place}. Can it be corrected?",
    ),
    "invoice_done": (
        "I have attached a corrected copy to your account; the old one is cancelled.",
        "It belongs to the {module} order from {past}. The second copy was a reminder only.",
        "Done. The new details are used from the next invoice on.",
    ),
    "news": (
        "Our {place} site goes live with {module} on {day}; everybody is quite excited.",
        "A short note that we are reorganising the {module} team. Nothing changes for you.",
        "We presented the {module} results to the board, and they liked them.",
        "The pilot in {place} is over: {n} people took part and most want to keep it.",
    ),
    "news_back": (
        "That is great to hear, congratulations!",
        "Thank you for telling me. I will let {colleague} know as well.",
        "Wonderful. Could we use that as a story for other customers?",
    ),
    "intro": (
        "I came across {product} at the fair in {place}. How does it deal with {module} at several sites?",
        "We plan with spreadsheets today and that has to stop. Could you show us what {product} does?",
        "A partner of ours recommended you. We are {n} people in {place}; is that too small for you?",
    ),
    "intro_back": (
        "Thank you for writing! I would suggest a first call of half an hour; does {day} suit you?",
        "Gladly. I have put together three short examples from your trade and will show them on {day}.",
        "Not too small at all. I will call you on {day} if that is all right.",
    ),
    "chat": (
        "Does anyone have a customer story from {place} for a talk in {month}?",
        "The coffee machine on the second floor is being repaired until {day}.",
        "Reminder: forecast figures by {day} noon, please.",
        "I am out from {day}; {colleague} has my accounts until I am back.",
        "Who knows the state of the {module} roadmap? A prospect in {place} keeps asking.",
        "The demo environment is reset every night at {hour}:00 from now on.",
        "Please log your calls the same day; half of last week's are missing.",
        "Lunch on {day} for {colleague}'s five years with us, twelve o'clock.",
        "The fair in {place} is booked. We need two people for the stand on {day}.",
        "New expense rule: receipts above {n} need a second pair of eyes.",
        "The slides for the partner day are in the usual folder. Comments until {day}.",
    ),
    "chat_back": (
        "I can do that.",
        "Thanks for the reminder.",
        "Count me in.",
        "Try {colleague}, who had something similar in {past}.",
        "Noted, will do by {day}.",
        "Not me, sorry, I am in {place} that day.",
        "+1",
    ),
    "deal_chat": (
        "How is {customer} coming along? It would be good to have a date.",
        "{customer} called about {module}. Could you ring them back on {day}?",
        "I met somebody from {customer} at the fair in {place}. They are happy with the {module} part.",
        "Can you check who owns {customer} now? I have two names in my list.",
    ),
    "deal_chat_back": (
        "They are still deciding; I expect to hear by {day}.",
        "Will do, thanks for the hint.",
        "It is mine. I will put the notes in HubSpot.",
        "Good to know. I will mention it in our next call.",
    ),
    "away": (
        "Thank you for your message. I am out of the office until {day} and will answer when I am back.",
        "I am travelling without much of a connection until {day}. If urgent, please ring our switchboard.",
        "I am on leave until the end of {month}. Your message has not been forwarded.",
    ),
    "note": (
        "Spoke with {contact}: happy with {module}, asks about {place}. Follow up in {month}.",
        "{contact} says that budget talks start in {month}. Nothing to do until then.",
        "Rolled out to {n} people in {place}. {contact} leads it.",
        "Pain point: {module} reports are slow at month end.",
        "{contact} prefers mail to phone. Best reached before ten.",
        "Competitor mentioned in passing. {contact} is not impressed with their {module}.",
        "Asked for a reference from the same trade. Sent two.",
        "Left a voice message, no answer yet.",
        "Amount is from last year's order, has to be checked before the renewal.",
    ),
    "call": (
        "Talked about {module} and the plans for {place}. Next step: demo on {day}.",
        "Short check-in, all well. {contact} will send the list of users.",
        "No answer, left a message.",
        "Walked through the open tickets. Two can be closed.",
        "{contact} wants to see the price per site.",
    ),
    "task": (
        "Call {contact} about {module}",
        "Send summary of the {place} pilot",
        "Check the seat count with {contact}",
        "Prepare the review for {customer}",
        "Ask {contact} for the order number",
        "Update the close date",
        "Send reference customers to {contact}",
        "Book the training for {place}",
    ),
    "news_subject": (
        "Five ideas for calmer planning meetings",
        "What changed in working-time rules this {this}",
        "Your {this} digest: people, planning, products",
        "Seats are going fast: the operations summit in {place}",
        "How a bakery saved {n} hours a week",
        "New this {this}: templates for shift hand-over",
        "The state of field service, in six charts",
    ),
    "news_text": (
        "In this issue: why planners love whiteboards, and three that went digital.",
        "Join {n} of your peers in {place} for a day without slides.",
        "We asked {n} managers what they would never automate. The answers may surprise you.",
        "Our reader of the month runs a depot near {place} and swears by paper cards.",
        "Use the code {month} at checkout for a free workbook.",
    ),
}
MODULES = (
    *("planning", "scheduling", "dispatch", "inventory", "maintenance", "forecasting", "onboarding"),
    *("reporting", "invoicing", "rostering", "returns", "quality", "loading", "picking"),
)


class Voice:
    """Says things: picks a phrase, fills its slots, and wraps it into a letter."""

    def __init__(self, rng: random.Random) -> None:
        """Speak with a seeded source."""
        self._rng = rng

    def say(self, key: str, slots: Mapping[str, str]) -> str:
        """One phrase of the bank, filled."""
        return self._rng.choice(BANK[key]).format_map(slots)

    def letter(
        self,
        sender: Person,
        to: Person,
        key: str,
        slots: Mapping[str, str],
        *,
        answer: bool = False,
        short: bool = False,
    ) -> str:
        """A whole letter: greeting, perhaps an opener, a phrase, perhaps a close, and a signature."""
        body = [self.say(key, slots)]
        if not short:
            if self._rng.random() < 0.6:
                body.insert(0, self.say("opener_back" if answer else "opener", slots))
            if self._rng.random() < 0.5:
                body.append(self.say("close", slots))
        text = " ".join(body) if self._rng.random() < 0.5 else "\n\n".join(body)
        return self.wrap(sender, to, text, short=short)

    def wrap(self, sender: Person, to: Person, text: str, *, short: bool = False) -> str:
        """A given text with greeting and signature."""
        if short and self._rng.random() < 0.4:
            return f"{text}\n\n{sender.first}"
        hello = self.say("hello", {"first": to.first})
        foot = sender.first if short else sender.signature
        return f"{hello}\n\n{text}\n\n{self.say('bye', {})}\n{foot}"
