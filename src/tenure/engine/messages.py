"""Messages as providers and logs can take them."""

from inspect_ai.model import ChatMessage, ChatMessageAssistant, ChatMessageTool

from tenure.schema.text import readable, readable_all


def make_readable(message: ChatMessage) -> None:
    """Let no half of a character stand in a message, in place.

    Models write them, and pages and apps hold them. A request or a record with one could not be encoded, so
    that an attempt would end by a failure that is nobody's.

    Args:
        message: Of the model, or of a tool.
    """
    if isinstance(message.content, str):
        message.content = readable(message.content)
    else:
        for part in message.content:
            if part.type == "text":
                part.text = readable(part.text)
            elif part.type == "reasoning":
                part.reasoning = readable(part.reasoning)
    if isinstance(message, ChatMessageAssistant):
        for call in message.tool_calls or ():
            call.arguments = readable_all(call.arguments)
    if isinstance(message, ChatMessageTool) and message.error is not None:
        message.error.message = readable(message.error.message)
