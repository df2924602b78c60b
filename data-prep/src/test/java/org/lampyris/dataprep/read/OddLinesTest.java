package org.lampyris.dataprep.read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class OddLinesTest {
  private static final byte[][] PIECES = {
    bytes("a,1.25,-3e7"),
    bytes("\""),
    bytes("\n"),
    bytes("\r\n"),
    bytes("\r"),
    bytes("é€😀"),
    {(byte) 0xC3},
    {(byte) 0xED, (byte) 0xA0, (byte) 0x80},
    {(byte) 0xC0, (byte) 0x80},
    {(byte) 0xF4, (byte) 0x90, (byte) 0x80, (byte) 0x80},
    {(byte) 0xE0, (byte) 0x9F, (byte) 0x80}
  };

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Returns what a whole text has, line by line. */
  private static int expected(byte[] text, boolean ofUtf8) {
    int found = 0;
    int from = 0;
    for (int k = 0; k <= text.length; k++) {
      if (k == text.length || text[k] == '\n' || text[k] == '\r') {
        found |= ofLine(text, from, k, ofUtf8);
        from = k + 1;
      }
    }
    return found;
  }

  private static int ofLine(byte[] text, int from, int to, boolean ofUtf8) {
    int quotes = 0;
    for (int k = from; k < to; k++) {
      quotes += text[k] == '"' ? 1 : 0;
    }
    int found = quotes % 2 == 1 ? OddLines.QUOTED : 0;
    try {
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(text, from, to - from));
      return found;
    } catch (CharacterCodingException e) {
      return found | (ofUtf8 ? OddLines.FOREIGN : 0);
    }
  }

  /** Looks through a text part by part, and through each part by reads of a few bytes. */
  private static int inParts(byte[] text, boolean ofUtf8, int step, int read) throws IOException {
    int found = 0;
    for (int from = 0; from < text.length; from += step) {
      int first = Math.max(0, from - 1);
      InputStream rest =
          new ByteArrayInputStream(text, first, text.length - first) {
            @Override
            public int read(byte[] to) {
              return read(to, 0, Math.min(read, to.length));
            }
          };
      found |= new OddLines(ofUtf8).in(rest, from, Math.min(text.length, from + step));
    }
    return found;
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void theSameInPartsAsLineByLine(boolean ofUtf8) throws IOException {
    SplittableRandom random = new SplittableRandom(1);
    int[] seen = new int[4];
    for (int round = 0; round < 4000; round++) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      int kinds = 2 + random.nextInt(PIECES.length - 1);
      for (int k = random.nextInt(1, 12); k > 0; k--) {
        int piece = random.nextInt(kinds);
        out.writeBytes(PIECES[piece]);
        if (piece == 1 && random.nextInt(3) > 0) { // mostly a whole quoted cell
          out.writeBytes(bytes("x\""));
        }
      }
      byte[] text = out.toByteArray();
      int expected = expected(text, ofUtf8);
      seen[expected]++;
      int step = random.nextInt(1, 40);
      int read = random.nextInt(1, 20);
      assertEquals(
          expected,
          inParts(text, ofUtf8, step, read),
          () -> new String(text, StandardCharsets.ISO_8859_1) + " by " + step + " and " + read);
    }
    assertTrue(seen[0] > 200 && seen[OddLines.QUOTED] > 200, "both kinds of text appear");
    assertEquals(ofUtf8, seen[OddLines.FOREIGN] > 200);
  }

  @Test
  void aLineBelongsToThePartThatItBeginsIn() throws IOException {
    byte[] text = bytes("ab\ncd\"ef\ngh\n");
    OddLines look = new OddLines(true);
    assertEquals(0, look.in(new ByteArrayInputStream(text), 0, 3));
    assertEquals(OddLines.QUOTED, look.in(new ByteArrayInputStream(text), 0, 4));
    InputStream later = new ByteArrayInputStream(text, 3, text.length - 3);
    assertEquals(0, look.in(later, 4, text.length));
  }
}
