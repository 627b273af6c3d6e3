-- 0010-function-places.sql - where functions are written, so that a picture of a profile can say it without its samples

-- derived: 'relay.c:120-188', the lines that samples were in; of several files the first; NULL: not known
ALTER TABLE function ADD COLUMN place TEXT;
